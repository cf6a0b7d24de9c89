// Find stored memories of new rows, by external id or by content, and the ends of their sessions.
//
// params:  named LIST<MAP> {place INTEGER, scope STRING, external_id STRING},
//          unnamed LIST<MAP> {place INTEGER, scope STRING, content_hash STRING},
//          sessions LIST<MAP> {scope STRING, session_id STRING}
// returns: saved LIST<LIST> [place INTEGER (of the row), uid STRING, content_hash STRING, session_id STRING,
//          sequence INTEGER or NULL, revision INTEGER, agent_id STRING, kind STRING,
//          correct STRING, stored_bytes INTEGER, dormant BOOLEAN (the gates archived it),
//          replaced BOOLEAN (another ended it), occurred_at ZONED DATETIME],
//          ends LIST<LIST> [scope STRING, session_id STRING, last_sequence INTEGER or NULL, tail_uid STRING or NULL]
// mode:    read
CALL () {
  UNWIND $named AS row
  MATCH (m:Memory {scope: row.scope, external_id: row.external_id})
  RETURN collect([row.place, m.uid, m.content_hash, m.session_id, m.sequence, coalesce(m.revision, 1), m.agent_id, m.kind, m.correct, coalesce(m.stored_bytes, 0),
    m.state = 'archived' AND m.moved_by IS NOT NULL AND m.condensed_by IS NULL AND m.kind <> 'episode', m.held_until IS NOT NULL, m.occurred_at]) AS named
}
CALL () {
  UNWIND $unnamed AS row
  MATCH (m:Memory {scope: row.scope, content_hash: row.content_hash})
  RETURN collect([row.place, m.uid, m.content_hash, m.session_id, m.sequence, coalesce(m.revision, 1), m.agent_id, m.kind, m.correct, coalesce(m.stored_bytes, 0),
    m.state = 'archived' AND m.moved_by IS NOT NULL AND m.condensed_by IS NULL AND m.kind <> 'episode', m.held_until IS NOT NULL, m.occurred_at]) AS unnamed
}
CALL () {
  UNWIND $sessions AS row
  MATCH (s:Session {scope: row.scope, session_id: row.session_id})
  RETURN collect([s.scope, s.session_id, s.last_sequence, s.tail_uid]) AS ends
}
RETURN named + unnamed AS saved, ends
