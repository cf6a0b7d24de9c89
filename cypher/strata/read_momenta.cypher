// Read the momenta of locked scopes and contexts: what is usual there.
//
// params:  rows LIST<MAP> {scope STRING, context STRING}
// returns: momentum MAP of properties
// mode:    read
UNWIND $rows AS row
MATCH (m:Momentum {scope: row.scope, context: row.context})
RETURN m {.*} AS momentum
