// Open a cycle, or find the one that has its name in its scope already.
//
// params:  scope STRING, cycle_id STRING, values MAP of properties
// returns: cycle MAP of properties
// mode:    write
MERGE (c:Cycle {scope: $scope, cycle_id: $cycle_id})
ON CREATE SET c += $values
RETURN c {.*} AS cycle
