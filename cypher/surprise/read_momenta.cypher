// What is usual in locked scopes and contexts.
//
// params:  rows LIST<MAP> {scope STRING, context STRING}
// returns: momentum MAP of properties
// mode:    read
UNWIND $rows AS row
MATCH (m:Momentum {scope: row.scope, context: row.context})
RETURN m {.*} AS momentum
