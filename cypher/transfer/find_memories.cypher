// Find conflicts of imported memories: the same uid, external id or content.
//
// params:  rows LIST<MAP> {uid STRING, scope STRING, external_id STRING or NULL, content_hash STRING}
// returns: place INTEGER (of the row), scope STRING (of the memory with this uid) or NULL,
//          named STRING (uid with this external id) or NULL, alike STRING (uid with this content) or NULL
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
OPTIONAL MATCH (same:Memory {uid: row.uid})
OPTIONAL MATCH (named:Memory {scope: row.scope, external_id: row.external_id})
OPTIONAL MATCH (alike:Memory {scope: row.scope, content_hash: row.content_hash})
WITH place, same.scope AS scope, named.uid AS named, alike.uid AS alike
WHERE scope IS NOT NULL OR named IS NOT NULL OR alike IS NOT NULL
RETURN place, scope, named, alike
ORDER BY place
