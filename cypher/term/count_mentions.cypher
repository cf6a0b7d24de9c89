// Change how many memories mention terms that this transaction has locked.
//
// params:  rows LIST<MAP> {scope STRING, name STRING, change INTEGER} (sorted)
// returns: counted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (t:Term {scope: row.scope, name: row.name})
SET t.document_frequency = coalesce(t.document_frequency, 0) + row.change
RETURN count(*) AS counted
