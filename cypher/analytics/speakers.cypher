// Speakers with their sessions and turns
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: scope STRING, speaker STRING, turns INTEGER, sessions INTEGER, first ZONED DATETIME,
//          last ZONED DATETIME
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.speaker <> ''
RETURN m.scope AS scope, m.speaker AS speaker, count(*) AS turns,
       count(DISTINCT nullIf(m.session_id, '')) AS sessions,
       min(m.occurred_at) AS first, max(m.occurred_at) AS last
ORDER BY turns DESC, scope, speaker
LIMIT toInteger($limit)
