// The patterns of a scope.
//
// params:  scope STRING, run STRING
// returns: uid STRING; known: external_id STRING, type STRING or NULL, structured STRING or NULL, support INTEGER, confidence
//          FLOAT, kept BOOLEAN (it is a pattern still); made: revision INTEGER
// mode:    read
// choices: known (by what they are called, also those that somebody made another kind of memory of) made (by a run, that
//          are as it left them)
//= known
MATCH (p:Memory)
WHERE p.scope = $scope AND p.external_id STARTS WITH 'pattern:'
RETURN p.external_id AS external_id, p.uid AS uid, p.pattern_type AS type, p.structured AS structured,
       coalesce(p.support, 0) AS support, coalesce(p.confidence, 0.0) AS confidence, p:Pattern AS kept
//= made
//| MATCH (p:Pattern)
//| WHERE p.scope = $scope AND p.signature > '' AND p.uid > ''
//| WITH p
//| WHERE p.made_by = $run AND coalesce(p.revision, 1) = 1 AND coalesce(p.q_count, 0) = 0
//|   AND NOT EXISTS { (p)-[:SHARED_WITH]->() }
//| RETURN p.uid AS uid, coalesce(p.revision, 1) AS revision
//=
ORDER BY uid
