// Remove the vectors of one slot from the next memories after a uid.
//
// After a switch, similarities are those of the former embedder: then the memories wait for links again.
//
// params:  after STRING, limit INTEGER, unlinked_since ZONED DATETIME or NULL
// returns: last STRING or NULL, seen INTEGER
// mode:    write
// slots:   a b
MATCH (m:Memory)
WHERE m.uid > $after
WITH m ORDER BY m.uid LIMIT $limit
REMOVE m.embedding_a, m.embedding_a_by
SET m.unlinked_since = coalesce($unlinked_since, m.unlinked_since)
RETURN max(m.uid) AS last, count(m) AS seen
