// Remove the surprise plugin of an agent with what it has learned.
//
// params:  scope STRING
// returns: deleted INTEGER
// mode:    write
MATCH (p:SurprisePlugin {scope: $scope})
DELETE p
RETURN count(*) AS deleted
