// A page of memories by time, after a position; or their number, in total and by group.
//
// Each scope reads its own by its index, so that a page reads no more than it can hold; of one session each scope reads
// only its own part.
//
// params:  scopes LIST<STRING>, kinds LIST<STRING>, strata LIST<STRING>, states LIST<STRING>, phases LIST<STRING>,
//          correct LIST<STRING>, access_count_min INTEGER, importance_min INTEGER, importance_max INTEGER,
//          occurred_from ZONED DATETIME, occurred_to ZONED DATETIME, recorded_from ZONED DATETIME,
//          recorded_to ZONED DATETIME, valid_at ZONED DATETIME, ends_after ZONED DATETIME, unexpired_at ZONED DATETIME,
//          agent_from INTEGER, agent_to INTEGER, session_from INTEGER, session_to INTEGER, domain_from INTEGER,
//          domain_to INTEGER, model_from INTEGER, model_to INTEGER, tags_any LIST<STRING>, tags_all LIST<STRING>,
//          after_at ZONED DATETIME, after_uid STRING (the last of the page before), limit INTEGER (memories, or groups),
//          session_id STRING, grouping STRING (kind, stratum, state, session, agent, or empty)
// returns: memory MAP of properties without vectors; counted: total INTEGER, names LIST<STRING>, counts LIST<INTEGER> (the
//          largest first)
// mode:    read
// slots:   a b
// choices: newest oldest session_newest session_oldest (what comes first; of one session) counted session_counted
CYPHER 25
UNWIND $scopes AS scope
CALL (scope) {
  MATCH (m:Memory)
//= newest oldest counted
    USING INDEX m:Memory(scope, recorded_at, uid)
//= newest
  WHERE m.scope = scope AND m.recorded_at >= $recorded_from AND m.recorded_at <= $after_at
//= oldest
//|   WHERE m.scope = scope AND m.recorded_at >= $after_at AND m.recorded_at < $recorded_to
//= counted
//|   WHERE m.scope = scope AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
//= newest oldest counted
    AND m.uid IS NOT NULL
//= session_newest session_oldest session_counted
//|     USING INDEX m:Memory(scope, session_id, sequence)
//|   WHERE m.scope = scope AND m.session_id = $session_id AND m.sequence IS NOT NULL
//= session_newest
//|     AND m.recorded_at <= $after_at
//= newest session_newest
    AND (m.recorded_at < $after_at OR m.uid < $after_uid)
//= session_oldest
//|     AND m.recorded_at >= $after_at
//= oldest session_oldest
//|     AND (m.recorded_at > $after_at OR m.uid > $after_uid)
//=
    AND coalesce(m.access_count, 0) >= $access_count_min AND coalesce(m.held_until, m.valid_to) > $valid_at
    AND m.kind IN $kinds AND m.stratum IN $strata AND m.state IN $states
    AND m.phase IN $phases AND m.correct IN $correct
    AND m.importance >= $importance_min AND m.importance <= $importance_max
    AND m.occurred_at >= $occurred_from AND m.occurred_at < $occurred_to
    AND m.recorded_at >= $recorded_from AND m.recorded_at < $recorded_to
    AND m.valid_from <= $valid_at AND m.valid_to > $ends_after
    AND m.expires_at > $unexpired_at
    AND m.agent_key >= $agent_from AND m.agent_key <= $agent_to
    AND m.session_key >= $session_from AND m.session_key <= $session_to
    AND m.domain_key >= $domain_from AND m.domain_key <= $domain_to
    AND m.model_key >= $model_from AND m.model_key <= $model_to
    AND (size($tags_any) = 0 OR any(tag IN $tags_any WHERE tag IN m.tags))
    AND all(tag IN $tags_all WHERE tag IN m.tags)
  RETURN m
//= newest
  ORDER BY m.scope DESC, m.recorded_at DESC, m.uid DESC
//= oldest
//|   ORDER BY m.scope, m.recorded_at, m.uid
//= session_newest
//|   ORDER BY m.recorded_at DESC, m.uid DESC
//= session_oldest
//|   ORDER BY m.recorded_at, m.uid
//= newest oldest session_newest session_oldest
  LIMIT $limit
//=
}
//= newest oldest session_newest session_oldest
WITH m
//= newest session_newest
ORDER BY m.recorded_at DESC, m.uid DESC
//= oldest session_oldest
//| ORDER BY m.recorded_at, m.uid
//= newest oldest session_newest session_oldest
LIMIT $limit
RETURN m {.*, embedding_a: null, embedding_other: null,
          context_text: null, folded_text: null, keys: null} AS memory
//= counted session_counted
//| WITH CASE $grouping WHEN 'kind' THEN m.kind WHEN 'stratum' THEN m.stratum
//|   WHEN 'state' THEN m.state WHEN 'session' THEN m.session_id WHEN 'agent' THEN m.agent_id
//|   ELSE '' END AS name, count(*) AS size
//| ORDER BY size DESC, name
//| WITH sum(size) AS total, collect(name) AS names, collect(size) AS counts
//| RETURN total, names[..$limit] AS names, counts[..$limit] AS counts
//=
