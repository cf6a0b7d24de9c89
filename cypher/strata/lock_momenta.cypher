// Lock what is usual in scopes and contexts, by a write that reads nothing: how it stands is read after.
//
// One that no event moves then holds nothing, and is forgotten a day later.
//
// params:  rows LIST<MAP> {scope STRING, context STRING, tenant STRING} (sorted)
// returns: locked INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (m:Momentum {scope: row.scope, context: row.context})
ON CREATE SET m.tenant = row.tenant
SET m.asked_at = datetime.realtime(),
    m.expires_at = coalesce(m.expires_at, datetime.realtime() + duration({days: 1}))
RETURN count(*) AS locked
