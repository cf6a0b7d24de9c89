// Insights of a scope.
//
// params:  scope STRING, limit INTEGER
// returns: insight MAP of properties
// mode:    read
MATCH (n:LearnedInsight)
WHERE n.scope = $scope AND n.confidence >= 0
RETURN n {.*} AS insight
ORDER BY insight.key
LIMIT $limit
