// The surprise of an event that was reported before.
//
// params:  scope STRING, event_id STRING
// returns: surprise MAP of properties
// mode:    read
MATCH (s:Surprise {scope: $scope, event_id: $event_id})
RETURN s {.*} AS surprise
