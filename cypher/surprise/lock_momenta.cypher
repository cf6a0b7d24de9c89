// Lock what is usual in scopes and contexts, by a write that reads nothing: how it stands is read after.
//
// params:  rows LIST<MAP> {scope STRING, context STRING, tenant STRING} (sorted)
// returns: locked INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (m:Momentum {scope: row.scope, context: row.context})
ON CREATE SET m.tenant = row.tenant
SET m.asked_at = datetime.realtime()
RETURN count(*) AS locked
