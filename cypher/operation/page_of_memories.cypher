// The next memories after a uid, and those of them that lack an embedder's vector in a slot.
//
// params:  after STRING, limit INTEGER, embedder STRING
// returns: last STRING or NULL, seen INTEGER, lacking LIST<MAP> {uid STRING, text STRING}
// mode:    read
// slots:   a b
MATCH (m:Memory)
WHERE m.uid > $after
WITH m ORDER BY m.uid LIMIT $limit
RETURN max(m.uid) AS last, count(m) AS seen,
       collect(CASE WHEN m.erased_by IS NULL AND coalesce(m.embedding_a_by, '') <> $embedder
         THEN {uid: m.uid, text: m.text} END) AS lacking
