// Some patterns of one agent that support those of a channel.
//
// params:  agent STRING, channel STRING (scopes), limit INTEGER
// returns: uid STRING (the shared pattern), original STRING (the agent's)
// mode:    read
MATCH (m:Pattern {scope: $agent})
WHERE m.signature > '' AND m.uid > ''
MATCH (p:Memory {scope: $channel})-[:PUBLISHED_FROM]->(m)
WHERE p.agents IS NOT NULL
RETURN p.uid AS uid, m.uid AS original
ORDER BY uid, original
LIMIT $limit
