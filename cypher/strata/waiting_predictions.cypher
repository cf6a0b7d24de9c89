// Open valid predictions of a context, latest first.
//
// params:  scope STRING, context STRING, now ZONED DATETIME, limit INTEGER
// returns: prediction MAP of properties
// mode:    read
MATCH (p:Prediction)
WHERE p.scope = $scope AND p.context = $context AND p.expires_at > $now
WITH p WHERE p.matched_at IS NULL
RETURN p {.*} AS prediction
ORDER BY p.made_at DESC, p.uid DESC
LIMIT $limit
