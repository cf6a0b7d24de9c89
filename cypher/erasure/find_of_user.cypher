// Memories that name a user, in any scope of its tenant, and that no erasure has marked.
//
// params:  tenant STRING, user STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (m:Memory {user_id: $user})
WHERE m.tenant = $tenant AND m.erased_by IS NULL
RETURN m.uid AS uid
LIMIT $limit
