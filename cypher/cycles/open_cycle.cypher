// Create a cycle, or find the one with its name in its scope.
//
// params:  scope STRING, cycle_id STRING, values MAP of properties
// returns: cycle MAP of properties
// mode:    write
MERGE (c:Cycle {scope: $scope, cycle_id: $cycle_id})
ON CREATE SET c += $values
RETURN c {.*} AS cycle
