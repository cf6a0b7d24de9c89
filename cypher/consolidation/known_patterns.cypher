// The patterns of a scope by what they are called, also those that somebody made another kind of memory of.
//
// params:  scope STRING
// returns: external_id STRING, uid STRING, type STRING or NULL, structured STRING or NULL, support INTEGER, confidence FLOAT, kept BOOLEAN (it is a pattern still)
// mode:    read
MATCH (p:Memory)
WHERE p.scope = $scope AND p.external_id STARTS WITH 'pattern:'
RETURN p.external_id AS external_id, p.uid AS uid, p.pattern_type AS type, p.structured AS structured,
       coalesce(p.support, 0) AS support, coalesce(p.confidence, 0.0) AS confidence, p:Pattern AS kept
