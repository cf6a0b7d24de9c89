// Remove the node of an owner whose scope holds nothing more; with it goes what it was related to.
//
// params:  scope STRING
// returns: Scope INTEGER
// mode:    write
MATCH (s:Scope {scope: $scope})
DETACH DELETE s
RETURN count(*) AS Scope
