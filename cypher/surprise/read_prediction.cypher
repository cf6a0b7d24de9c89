// A prediction, by its name in a scope.
//
// params:  scope STRING, prediction_id STRING
// returns: prediction MAP of properties
// mode:    read
MATCH (p:Prediction {scope: $scope, prediction_id: $prediction_id})
RETURN p {.*} AS prediction
