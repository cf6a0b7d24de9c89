// Duplicates: the same text stored more than once in a scope
//
// Upper and lower case and space at the ends do not count.
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: scope STRING, copies INTEGER, text STRING, kinds LIST<STRING>, uids LIST<STRING> (oldest
//          first)
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
WITH m
ORDER BY m.recorded_at, m.uid
WITH m.scope AS scope, toLower(trim(m.text)) AS same, head(collect(left(m.text, 120))) AS text,
     collect(DISTINCT m.kind) AS kinds, collect(m.uid) AS uids
WHERE size(uids) > 1
RETURN scope, size(uids) AS copies, text, kinds, uids
ORDER BY copies DESC, scope, text
LIMIT toInteger($limit)
