// The latest memories of a scope's sessions, with the properties that patterns compare.
//
// params:  scope STRING, limit INTEGER
// returns: rows LIST<MAP> of uid STRING, session_id STRING, place FLOAT (in the session), tags LIST<STRING>, actions LIST<STRING>,
//          correct STRING, structured STRING or NULL, kind STRING, text STRING (empty where tags or actions name it)
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid > ''
  AND m.session_id <> '' AND m.state IN ['active', 'archived'] AND m.made_by IS NULL
WITH m ORDER BY m.recorded_at DESC, m.uid DESC LIMIT $limit
RETURN collect(m {
  .uid, .session_id, .structured, .kind, place: toFloat(coalesce(m.sequence, m.stood_at, 0)), tags: coalesce(m.tags, []),
  actions: coalesce(m.actions, []), correct: coalesce(m.correct, ''),
  text: CASE WHEN coalesce(m.tags, []) = [] AND coalesce(m.actions, []) = [] THEN left(m.text, 200) ELSE '' END
}) AS rows
