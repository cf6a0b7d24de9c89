// Expiry: memories that expire soon, or have expired and are still kept
//
// params:  days INTEGER (ahead), scope STRING (such as agent/planner; '' is every scope),
//          limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, expires_at ZONED DATETIME, expired BOOLEAN, scope STRING,
//          uid STRING
// mode:    read
//
// :params {days: 30, scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.expires_at <= datetime() + duration({days: $days}) AND m.scope ENDS WITH $scope
RETURN left(m.text, 120) AS text, m.kind AS kind, m.expires_at AS expires_at,
       m.expires_at <= datetime() AS expired, m.scope AS scope, m.uid AS uid
ORDER BY expires_at, uid
LIMIT toInteger($limit)
