// A page of memories by uid, with their flaws.
//
// params:  after STRING, limit INTEGER, dimension INTEGER, open ZONED DATETIME (what an open beginning of validity is
//          stored as)
// returns: last STRING or NULL, seen INTEGER, vectors LIST<STRING> (none, or of another length), degrees LIST<STRING>
//          (links miscounted), stranded LIST<STRING> (archived behind what is gone), marked LIST<STRING> (hidden by an
//          erasure that is not under way), copies LIST<STRING> (of nothing), homeless LIST<STRING> (no owner's node),
//          validity LIST<STRING> (they end otherwise than what replaces them says)
// mode:    read
// slots:   a b
MATCH (m:Memory)
WHERE m.uid > $after
WITH m ORDER BY m.uid LIMIT $limit
WITH m, [(n:Memory)-[r:SUPERSEDES]->(m) WHERE r.decisive
     AND r.since >= CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END
     AND NOT (n.state = 'archived' AND n.moved_by IS NULL AND n.condensed_by IS NULL) | r.since.epochSeconds] AS ends
RETURN max(m.uid) AS last, count(m) AS seen,
       collect(CASE WHEN m.erased_by IS NULL AND coalesce(size(m.embedding_a), 0) <> $dimension THEN m.uid END) AS vectors,
       collect(CASE WHEN coalesce(m.link_count, 0) <>
         COUNT { (m)-[:SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(:Memory) } THEN m.uid END) AS degrees,
       collect(CASE WHEN m.state = 'archived' AND m.condensed_by IS NOT NULL
         AND NOT EXISTS { (m)<-[:PROMOTED_FROM]-(:Memory) } THEN m.uid END) AS stranded,
       collect(CASE WHEN m.erased_by IS NOT NULL
         AND NOT EXISTS { MATCH (r:Run {uid: m.erased_by}) WHERE r.state = 'running' } THEN m.uid END) AS marked,
       collect(CASE WHEN m.published_by IS NOT NULL
         AND NOT EXISTS { (m)-[:PUBLISHED_FROM]->(:Memory) } THEN m.uid END) AS copies,
       collect(CASE WHEN NOT EXISTS { MATCH (s:Scope {scope: m.scope}) } THEN m.uid END) AS homeless,
       collect(CASE WHEN (m.held_until IS NULL) <> (size(ends) = 0)
         OR any(end IN ends + m.held_until.epochSeconds WHERE end < m.valid_to.epochSeconds)
         OR size(ends) > 0 AND NOT m.valid_to.epochSeconds IN ends + m.held_until.epochSeconds THEN m.uid END) AS validity
