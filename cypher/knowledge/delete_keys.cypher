// Remove patterns or insights of a locked scope.
//
// params:  scope STRING, keys LIST<STRING>
// returns: deleted INTEGER
// mode:    write
// choices: patterns insights
UNWIND $keys AS key
//= patterns
MATCH (n:MemoryPattern {scope: $scope, key: key})
//= insights
//| MATCH (n:LearnedInsight {scope: $scope, key: key})
//=
DETACH DELETE n
RETURN count(*) AS deleted
