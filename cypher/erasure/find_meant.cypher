// Memories that an erasure was told by name and that nobody changed since and, where one was condensed, what it was
// condensed from: those that no erasure has marked.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (r:Run {uid: $run})
UNWIND range(0, size(r.meant) - 1) AS place
MATCH (m:Memory {uid: r.meant[place]})
WHERE coalesce(m.revision, 1) = r.revisions[place]
MATCH (m)-[:PROMOTED_FROM*0..8]->(s:Memory)
WHERE s.erased_by IS NULL AND (s = m OR s.condensed_by IS NOT NULL)
RETURN DISTINCT s.uid AS uid
LIMIT $limit
