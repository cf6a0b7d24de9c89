// Lock terms in the order given, by a write that reads nothing; those that are missing are made.
//
// params:  rows LIST<MAP> {scope STRING, name STRING, display STRING, tenant STRING} (sorted),
//          now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (t:Term {scope: row.scope, name: row.name})
ON CREATE SET t.tenant = row.tenant, t.display = row.display, t.document_frequency = 0
SET t.changed_at = $now
RETURN count(*) AS locked
