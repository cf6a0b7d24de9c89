// Count an ended cycle for the outer loop of its scope, or subtract processed ones.
//
// params:  scope STRING, tenant STRING, ended INTEGER, weights LIST<FLOAT>, now ZONED DATETIME
// returns: waiting INTEGER
// mode:    write
// choices: ended looked
MERGE (l:CycleLearning {scope: $scope})
SET l.asked_at = datetime.realtime()
//= ended
SET l.tenant = $tenant, l.waiting = coalesce(l.waiting, 0) + $ended
//= looked
//| SET l.tenant = $tenant, l.waiting = CASE WHEN coalesce(l.waiting, 0) > $ended THEN l.waiting - $ended ELSE 0 END,
//|     l.weights = coalesce($weights, l.weights), l.looked_at = $now
//=
RETURN l.waiting AS waiting
