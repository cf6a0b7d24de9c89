// Memories that are valid and name a subject, or whose speaker has its name; the newest of each scope and way.
//
// The full-text index lags: new memories are found a moment later, and ends of validity are compared again.
//
// params:  scopes LIST<STRING>, naming STRING (Lucene query, filtered by scope, state and validity), speakers LIST<STRING>
//          (spellings of the subject), kinds LIST<STRING>, states LIST<STRING> (archived: what was condensed alone),
//          sure FLOAT (least confidence that a turn is replaced), valid_at ZONED DATETIME, now ZONED DATETIME, limit INTEGER
// returns: uid STRING, kind STRING, text STRING, speaker STRING or NULL, occurred_at ZONED DATETIME, importance INTEGER,
//          surprise FLOAT, q_value FLOAT, newer LIST of [uid, text, occurred_at, confidence], memories that hold
//          and may replace it, whether or not they name the subject
// mode:    read
CALL () {
  CALL db.index.fulltext.queryNodes('memory_text', $naming, {limit: $limit})
  YIELD node AS m
  WHERE m.scope IN $scopes
  RETURN m
UNION
  UNWIND $scopes AS scope
  UNWIND $speakers AS speaker
  CALL (scope, speaker) {
    MATCH (m:Memory)
      USING INDEX m:Memory(scope, speaker, occurred_at)
    WHERE m.scope = scope AND m.speaker = speaker AND m.occurred_at <= $valid_at
    RETURN m
    ORDER BY m.occurred_at DESC LIMIT $limit
  }
  RETURN m
}
WITH m
WHERE m.state IN $states AND (m.state = 'active' OR m.condensed_by IS NOT NULL)
  AND m.kind IN $kinds AND m.valid_from <= $valid_at
  AND coalesce(m.held_until, m.valid_to) > $valid_at AND m.expires_at > $now AND m.occurred_at <= $valid_at
RETURN m.uid AS uid, m.kind AS kind, m.text AS text, m.speaker AS speaker, m.occurred_at AS occurred_at, m.importance AS importance,
       coalesce(m.surprise, 0.0) AS surprise, coalesce(m.q_value, 0.5) AS q_value,
       [(newer:Memory)-[r:SUPERSEDES]->(m) WHERE newer.scope IN $scopes AND newer.state = 'active' AND newer.kind IN $kinds AND r.since <= $valid_at
         AND newer.valid_from <= $valid_at AND coalesce(newer.held_until, newer.valid_to) > $valid_at AND newer.expires_at > $now
         AND newer.occurred_at <= $valid_at AND (coalesce(m.session_id, '') + coalesce(newer.session_id, '') = '' OR r.confidence >= $sure)
        | [newer.uid, newer.text, newer.occurred_at, r.confidence]] AS newer
ORDER BY occurred_at DESC, uid
LIMIT $limit
