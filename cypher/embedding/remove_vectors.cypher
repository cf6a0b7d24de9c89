// Remove the vectors of one slot from the next memories after a uid.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER
// mode:    write
// slots:   a b
MATCH (m:Memory)
WHERE m.uid > $after
WITH m ORDER BY m.uid LIMIT $limit
REMOVE m.embedding_a, m.embedding_a_by
RETURN max(m.uid) AS last, count(m) AS seen
