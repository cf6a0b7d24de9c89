// Change how many memories mention terms that this transaction has locked; those that none mentions any more go.
//
// params:  rows LIST<MAP> {scope STRING, name STRING, change INTEGER} (sorted)
// returns: deleted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (t:Term {scope: row.scope, name: row.name})
SET t.document_frequency = coalesce(t.document_frequency, 0) + row.change
WITH t, t.document_frequency <= 0 AS unmentioned
FOREACH (_ IN CASE WHEN unmentioned THEN [1] ELSE [] END | DETACH DELETE t)
RETURN count(CASE WHEN unmentioned THEN 1 END) AS deleted
