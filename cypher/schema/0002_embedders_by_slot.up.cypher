// Each slot's vector says which embedder made it.
MATCH (m:Memory) WHERE m.embedder IS NOT NULL
CALL (m) {
  SET m.embedding_a_by = m.embedder
  REMOVE m.embedder
} IN TRANSACTIONS OF 5000 ROWS;
