// Delete nodes with their relationships.
//
// params:  scope STRING, uids LIST<STRING> (sorted), rows LIST<MAP> {scope STRING, session_id STRING}, keys LIST<STRING>
// returns: deleted INTEGER
// mode:    write
// choices: owner (of a scope that holds nothing more; with it goes what it was related to) plugin (of surprise, of an
//          agent, with what it has learned) events (each of which has its number) sessions (that no memory is left of)
//          patterns insights tools contexts errors parameters (that a locked scope has learned)
//= owner
MATCH (n:Scope {scope: $scope})
//= plugin
//| MATCH (n:SurprisePlugin {scope: $scope})
//= events
//| UNWIND $uids AS uid
//| MATCH (n:Event {uid: uid})
//= sessions
//| UNWIND $rows AS row
//| MATCH (n:Session {scope: row.scope, session_id: row.session_id})
//= patterns insights tools contexts errors parameters
//| UNWIND $keys AS key
//= patterns
//| MATCH (n:MemoryPattern {scope: $scope, key: key})
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
