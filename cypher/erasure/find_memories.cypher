// Unmarked memories of a subject.
//
// params:  scope STRING, limit INTEGER, tenant STRING, agent STRING, user STRING, session_id STRING, run STRING,
//          uid STRING
// returns: uid STRING
// mode:    read
// choices: scope (in whatever state) agent (that it wrote, in any scope of its tenant) user (that name it, in any scope
//          of its tenant) session (in whatever state; also those that left their places in it to what they were
//          condensed to) meant (that the erasure was told by name and that nobody changed since and, where one was
//          condensed, what it was condensed from) one (and, where it was condensed, what it still stands for)
//= scope
MATCH (m:Memory)
  USING INDEX m:Memory(scope, recorded_at, uid)
WHERE m.scope = $scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
WITH m WHERE m.erased_by IS NULL
RETURN m.uid AS uid
LIMIT $limit
//= agent
//| MATCH (m:Memory)
//|   USING INDEX m:Memory(agent_id, q_value)
//| WHERE m.agent_id = $agent AND m.q_value IS NOT NULL
//| WITH m WHERE m.tenant = $tenant AND m.erased_by IS NULL
//| RETURN m.uid AS uid
//| LIMIT $limit
//= user
//| MATCH (m:Memory {user_id: $user})
//| WHERE m.tenant = $tenant AND m.erased_by IS NULL
//| RETURN m.uid AS uid
//| LIMIT $limit
//= session
//| CALL () {
//|   MATCH (m:Memory)
//|     USING INDEX m:Memory(scope, session_id, sequence)
//|   WHERE m.scope = $scope AND m.session_id = $session_id AND m.sequence IS NOT NULL
//|   WITH m WHERE m.erased_by IS NULL
//|   RETURN m.uid AS uid
//|   LIMIT $limit
//| UNION
//|   MATCH (m:Memory)
//|     USING INDEX m:Memory(scope, session_id, stood_at)
//|   WHERE m.scope = $scope AND m.session_id = $session_id AND m.stood_at IS NOT NULL
//|   WITH m WHERE m.erased_by IS NULL
//|   RETURN m.uid AS uid
//|   LIMIT $limit
//| }
//| RETURN uid
//| LIMIT $limit
//= meant
//| MATCH (r:Run {uid: $run})
//| UNWIND range(0, size(r.meant) - 1) AS place
//| MATCH (m:Memory {uid: r.meant[place]})
//| WHERE coalesce(m.revision, 1) = r.revisions[place]
//| MATCH (m)-[:PROMOTED_FROM*0..8]->(s:Memory)
//| WHERE s.erased_by IS NULL AND (s = m OR s.condensed_by IS NOT NULL)
//| RETURN DISTINCT s.uid AS uid
//| LIMIT $limit
//= one
//| MATCH (m:Memory {uid: $uid})-[:PROMOTED_FROM*0..8]->(s:Memory)
//| WHERE s.erased_by IS NULL AND (s.uid = $uid OR s.condensed_by IS NOT NULL AND s.state = 'archived')
//| RETURN DISTINCT s.uid AS uid
//=
