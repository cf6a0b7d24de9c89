// Content: memories by scope, tag or speaker, with their sessions and what the outcomes say of them
//
// A memory counts under each of its tags; one without a tag or a speaker is left out there.
//
// params:  scope STRING (such as agent/planner; '' is every scope), memories_by STRING (scope, tag or speaker),
//          limit INTEGER (> 0, rows at most)
// returns: name STRING, scope STRING (of the speaker; '' for a tag), memories INTEGER, kinds LIST<STRING>, sessions INTEGER,
//          learned INTEGER (memories with an outcome), mean_q FLOAT [0, 1], first ZONED DATETIME, last ZONED DATETIME (when
//          it occurred), newest ZONED DATETIME (when it was stored)
// mode:    read
//
// :params {scope: '', memories_by: 'scope', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
UNWIND CASE $memories_by
  WHEN 'tag' THEN coalesce(m.tags, [])
  WHEN 'speaker' THEN CASE WHEN m.speaker <> '' THEN [m.speaker] ELSE [] END
  ELSE [m.scope] END AS name
RETURN name, CASE $memories_by WHEN 'tag' THEN '' ELSE m.scope END AS scope, count(*) AS memories,
       collect(DISTINCT m.kind) AS kinds, count(DISTINCT nullIf(m.session_id, '')) AS sessions,
       count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned, round(avg(m.q_value), 3) AS mean_q,
       min(m.occurred_at) AS first, max(m.occurred_at) AS last, max(m.recorded_at) AS newest
ORDER BY memories DESC, scope, name
LIMIT toInteger($limit)
