// Memories of a scope's sessions as far as patterns go, the latest.
//
// params:  scope STRING, limit INTEGER
// returns: uid STRING, session_id STRING, place FLOAT (in the session), tags LIST<STRING>, actions LIST<STRING>,
//          correct STRING, structured STRING or NULL, kind STRING, text STRING (empty where tags or actions name it)
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid > ''
  AND m.session_id <> '' AND m.state IN ['active', 'archived'] AND m.made_by IS NULL
RETURN m.uid AS uid, m.session_id AS session_id, toFloat(coalesce(m.sequence, m.stood_at, 0)) AS place,
       coalesce(m.tags, []) AS tags, coalesce(m.actions, []) AS actions, coalesce(m.correct, '') AS correct,
       m.structured AS structured, m.kind AS kind,
       CASE WHEN coalesce(m.tags, []) = [] AND coalesce(m.actions, []) = [] THEN left(m.text, 200) ELSE '' END AS text
ORDER BY m.recorded_at DESC, m.uid DESC
LIMIT $limit
