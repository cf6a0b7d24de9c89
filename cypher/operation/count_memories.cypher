// Count memories.
//
// params:  embedder STRING
// returns: all: memories INTEGER, client_vectors INTEGER (that came with one of the client's); lacking: memories INTEGER
// mode:    read
// slots:   a b
// choices: all lacking (the vector that an embedder makes for a slot)
MATCH (m:Memory)
//= lacking
//| WHERE m.erased_by IS NULL AND coalesce(m.embedding_a_by, '') <> $embedder
//=
RETURN count(m) AS memories
//= all
  , count(CASE WHEN m.content_type = 'embedding' THEN 1 END) AS client_vectors
//=
