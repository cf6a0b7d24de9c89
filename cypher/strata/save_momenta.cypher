// Store what is usual in locked scopes and contexts.
//
// params:  rows LIST<MAP> {scope STRING, context STRING, values MAP of properties}
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Momentum {scope: row.scope, context: row.context})
SET m += row.values
RETURN count(*) AS saved
