// Each slot's vector says which embedder made it.
//
// down: One embedder per memory again.
//= up
MATCH (m:Memory) WHERE m.embedder IS NOT NULL
CALL (m) {
  SET m.embedding_a_by = m.embedder
  REMOVE m.embedder
} IN TRANSACTIONS OF 5000 ROWS;
//= down
//| MATCH (m:Memory) WHERE m.embedding_a_by IS NOT NULL OR m.embedding_b_by IS NOT NULL
//| CALL (m) {
//|   SET m.embedder = coalesce(m.embedding_a_by, m.embedding_b_by)
//|   REMOVE m.embedding_a_by, m.embedding_b_by
//| } IN TRANSACTIONS OF 5000 ROWS;
//=
