// Count the memories that mention locked terms; unused terms are removed.
//
// params:  rows LIST<MAP> {scope STRING, name STRING; changed: change INTEGER} (sorted)
// returns: counted INTEGER, deleted INTEGER
// mode:    write
// choices: changed (by what became known) anew
UNWIND $rows AS row
MATCH (t:Term {scope: row.scope, name: row.name})
//= changed
SET t.document_frequency = coalesce(t.document_frequency, 0) + row.change
//= anew
//| WITH t, COUNT { (t)<-[:MENTIONS]-(:Memory) } AS mentions
//| SET t.document_frequency = mentions
//=
WITH t, t.document_frequency <= 0 AS unmentioned
FOREACH (_ IN CASE WHEN unmentioned THEN [1] ELSE [] END | DETACH DELETE t)
RETURN count(*) AS counted, count(CASE WHEN unmentioned THEN 1 END) AS deleted
