// Store a prediction, unless its scope has an unexpired one of that name.
//
// params:  scope STRING, prediction_id STRING, prediction MAP (all its properties)
// returns: prediction MAP of properties (of the one that is there then)
// mode:    write
MERGE (p:Prediction {scope: $scope, prediction_id: $prediction_id})
ON CREATE SET p += $prediction
FOREACH (_ IN CASE WHEN p.expires_at <= $prediction.made_at THEN [1] ELSE [] END | SET p = $prediction)
RETURN p {.*} AS prediction
