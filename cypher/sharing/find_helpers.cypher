// The agents whose memories are behind copies, where the agent is a member beside them.
//
// params:  uids LIST<STRING> (of memories), agent STRING (scope)
// returns: uid STRING, other STRING (scope)
// mode:    read
UNWIND $uids AS uid
MATCH (copy:Memory {uid: uid})-[:PUBLISHED_FROM]->(m:Memory)
WHERE copy.published_by IS NOT NULL AND m.scope <> $agent AND EXISTS {
  MATCH (:Scope {scope: $agent})-[member:MEMBER_OF]->(:Scope {scope: copy.scope})
  WHERE member.left_at IS NULL
}
RETURN uid, m.scope AS other
ORDER BY uid, other
