// Versions: what a memory held before, newest first
//
// params:  memory STRING (uid or external id; '' takes the one updated last), scope STRING (such as
//          agent/planner; '' is every scope)
// returns: replaced_at ZONED DATETIME (null: what it holds now), kind STRING, text STRING,
//          importance INTEGER, occurred_at ZONED DATETIME
// mode:    read
//
// :params {memory: '', scope: ''}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
  AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
  AND EXISTS { (m)<-[:VERSION_OF]-(:Version) }
WITH m
ORDER BY m.recorded_at DESC, m.uid
LIMIT 1
CALL (m) {
  RETURN null AS replaced_at, m.kind AS kind, m.text AS text, m.importance AS importance,
         m.occurred_at AS occurred_at
UNION ALL
  MATCH (v:Version)-[:VERSION_OF]->(m)
  RETURN v.replaced_at AS replaced_at, v.kind AS kind, v.text AS text,
         v.importance AS importance, v.occurred_at AS occurred_at
}
RETURN replaced_at, kind, text, importance, occurred_at
ORDER BY replaced_at DESC
