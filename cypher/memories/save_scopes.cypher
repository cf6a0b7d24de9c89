// Write the owners of scopes and their speakers, at most 200 for each, and the earliest time of creation. Each gets a
// new version: of two first writers, the second may find the scope of the first.
//
// params:  rows LIST<MAP> {scope STRING, tenant STRING, label STRING, name STRING,
//          speakers LIST<STRING>, created_at ZONED or NULL}, now ZONED DATETIME
// returns: scope STRING, speakers LIST<STRING>
// mode:    write
CYPHER 25
UNWIND $rows AS row
MERGE (t:Tenant {tenant: row.tenant})
MERGE (s:Scope {scope: row.scope})
ON CREATE SET s.tenant = row.tenant, s.name = row.name, s.created_at = coalesce(row.created_at, $now), s.speakers = []
SET s:$(row.label), s.version = randomUUID()
// an import may have older memories than the scope
SET s.created_at = CASE WHEN row.created_at < s.created_at THEN row.created_at ELSE s.created_at END
SET s.speakers = (s.speakers + [name IN row.speakers WHERE NOT name IN s.speakers])[..200]
RETURN s.scope AS scope, s.speakers AS speakers
