// Memories to be published, with the vector of the slot in use.
//
// params:  uids LIST<STRING>
// returns: memory MAP of properties without vectors, embedder STRING or NULL,
//          vector LIST<FLOAT> (d) or NULL
// mode:    read
// slots:   a b
CYPHER 25
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m {.*, embedding_a: null, embedding_other: null, context_text: null, folded_text: null,
          keys: null} AS memory,
       m.embedding_a_by AS embedder, m.embedding_a AS vector
ORDER BY memory.uid
