// Store a measured event, and the new statistics, with the momenta locked.
//
// params:  surprise MAP (all its properties), momenta LIST<MAP> {scope STRING, context STRING, values MAP}
// returns: saved INTEGER
// mode:    write
CREATE (s:Surprise)
SET s = $surprise
WITH s
UNWIND $momenta AS row
MATCH (m:Momentum {scope: row.scope, context: row.context})
SET m += row.values
RETURN count(DISTINCT s) AS saved
