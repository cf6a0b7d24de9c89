// Count the memories that lack the vector that an embedder makes for a slot.
//
// params:  embedder STRING
// returns: lacking INTEGER
// mode:    read
// slots:   a b
MATCH (m:Memory)
WHERE m.erased_by IS NULL AND coalesce(m.embedding_a_by, '') <> $embedder
RETURN count(m) AS lacking
