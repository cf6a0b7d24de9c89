// Memories that an agent wrote, in any scope of its tenant, and that no erasure has marked.
//
// params:  tenant STRING, agent STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(agent_id, q_value)
WHERE m.agent_id = $agent AND m.q_value IS NOT NULL
WITH m WHERE m.tenant = $tenant AND m.erased_by IS NULL
RETURN m.uid AS uid
LIMIT $limit
