// Remove patterns, insights or counts of a locked scope.
//
// params:  scope STRING, keys LIST<STRING>
// returns: deleted INTEGER
// mode:    write
// choices: patterns insights tools contexts errors parameters
UNWIND $keys AS key
//= patterns
MATCH (n:MemoryPattern {scope: $scope, key: key})
//= insights
//| MATCH (n:LearnedInsight {scope: $scope, key: key})
//= tools
//| MATCH (n:Tool {scope: $scope, key: key})
//= contexts
//| MATCH (n:ToolContext {scope: $scope, key: key})
//= errors
//| MATCH (n:ToolError {scope: $scope, key: key})
//= parameters
//| MATCH (n:ToolParameter {scope: $scope, key: key})
//=
DETACH DELETE n
RETURN count(*) AS deleted
