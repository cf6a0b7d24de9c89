// The unchanged memories that a run has hidden.
//
// params:  run STRING, limit INTEGER
// returns: rows: uid STRING, revision INTEGER, reason STRING, text STRING, recorded_at ZONED DATETIME, q_value FLOAT,
//          confidence FLOAT, retrieval_count INTEGER, failure_count INTEGER; count: intact INTEGER
// mode:    read
// choices: rows (by uid) count
MATCH (m:Memory {collected_by: $run})
WHERE m.state = 'hidden' AND coalesce(m.revision, 1) = m.collected_revision
//= rows
WITH m ORDER BY m.uid LIMIT $limit
RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision, m.collected_for AS reason,
       left(m.text, 280) AS text, m.recorded_at AS recorded_at, m.q_value AS q_value,
       coalesce(m.confidence, -1.0) AS confidence, coalesce(m.retrieval_count, 0) AS retrieval_count,
       coalesce(m.failure_count, 0) AS failure_count
ORDER BY uid
//= count
//| RETURN count(*) AS intact
//=
