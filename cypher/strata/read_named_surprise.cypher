// The surprise of an event that was reported before, or a prediction, by its name in a scope.
//
// params:  scope STRING, event_id STRING, prediction_id STRING
// returns: surprise MAP of properties; prediction: prediction MAP of properties
// mode:    read
// choices: surprise prediction
//= surprise
MATCH (s:Surprise {scope: $scope, event_id: $event_id})
RETURN s {.*} AS surprise
//= prediction
//| MATCH (p:Prediction {scope: $scope, prediction_id: $prediction_id})
//| RETURN p {.*} AS prediction
//=
