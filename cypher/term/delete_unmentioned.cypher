// Remove those of some terms that no memory mentions any more.
//
// params:  rows LIST<MAP> {scope STRING, name STRING} (sorted)
// returns: deleted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (t:Term {scope: row.scope, name: row.name})
WHERE t.document_frequency <= 0
DETACH DELETE t
RETURN count(*) AS deleted
