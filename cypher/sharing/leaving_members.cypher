// Memberships that were left, and whose copies may not be gone yet.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: agent STRING, channel STRING (scopes)
// mode:    read
MATCH (a:Scope)-[m:MEMBER_OF]->(c:Scope)
WHERE m.left_at <= $now
RETURN a.scope AS agent, c.scope AS channel
ORDER BY m.left_at, agent, channel
LIMIT $limit
