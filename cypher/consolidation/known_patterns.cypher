// The patterns of a scope by their signature.
//
// params:  scope STRING
// returns: uid STRING, signature STRING, support INTEGER, confidence FLOAT
// mode:    read
MATCH (p:Pattern)
WHERE p.scope = $scope AND p.signature > '' AND p.uid > ''
RETURN p.uid AS uid, p.signature AS signature, coalesce(p.support, 0) AS support,
       coalesce(p.confidence, 0.0) AS confidence
