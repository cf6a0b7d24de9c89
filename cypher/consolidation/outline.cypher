// Read memories that can be condensed: active plain notes that are valid now and never expire, without replacement,
// verdict, model and copies, and without agreements or disputes of a channel.
//
// params:  scope STRING, uids LIST<STRING>, end ZONED DATETIME (of what never ends),
//          now ZONED DATETIME
// returns: rows LIST<MAP> of uid STRING, revision INTEGER, chars INTEGER, lines INTEGER, beginning STRING (300 characters at
//          most), asks BOOLEAN, vector VECTOR (float32) or NULL, session_id STRING or NULL, sequence INTEGER or NULL,
//          occurred_at STRING (ISO 8601), alike LIST<STRING>
// mode:    read
// slots:   a b
CYPHER 25
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope = $scope AND m.state = 'active' AND m.kind = 'observation' AND m.content_type = 'text'
  AND m.structured IS NULL AND m.expires_at >= $end AND coalesce(m.held_until, m.valid_to) >= $end
  AND m.valid_from <= $now AND coalesce(m.correct, '') = '' AND coalesce(m.model, '') = ''
  AND NOT EXISTS { (m)-[:SHARED_WITH|PUBLISHED_FROM]->() }
  AND NOT EXISTS { (m)-[:CONTRADICTS|VOTED]-() } AND NOT EXISTS { (m)<-[:DERIVED_FROM]-(:Memory {source_type: 'agreement'}) }
RETURN collect(m {
  .uid, .sequence, revision: coalesce(m.revision, 1), chars: size(m.text), lines: size(split(m.text, '\n')),
  beginning: left(m.text, 300), asks: right(trim(m.text), 1) IN ['?', '？'],
  vector: vector(m.embedding_a, size(m.embedding_a), FLOAT32), session_id: nullif(m.session_id, ''),
  occurred_at: toString(m.occurred_at),
  alike: [m.agent_id, coalesce(m.channel_id, ''), coalesce(m.user_id, ''), coalesce(m.domain, ''), coalesce(m.phase, '')]
}) AS rows
