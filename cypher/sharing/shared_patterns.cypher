// The patterns that are shared in a channel, a page of them by signature.
//
// params:  channel STRING (scope), after STRING, until STRING (signatures), limit INTEGER
// returns: uid STRING, signature STRING, text STRING, agents INTEGER, agents_needed INTEGER, support INTEGER,
//          confidence FLOAT, published_at ZONED DATETIME, uids LIST<STRING> (of the members' patterns)
// mode:    read
MATCH (p:Pattern {scope: $channel})
WHERE p.signature > $after AND p.signature <= $until AND p.uid > '' AND p.agents IS NOT NULL
WITH p
ORDER BY p.signature, p.uid
LIMIT $limit
RETURN p.uid AS uid, p.signature AS signature, p.text AS text, p.agents AS agents,
       p.agents_needed AS agents_needed, p.support AS support, p.confidence AS confidence,
       p.published_at AS published_at,
       COLLECT { MATCH (p)-[:PUBLISHED_FROM]->(m:Memory) RETURN m.uid AS uid ORDER BY uid } AS uids
ORDER BY signature, uid
