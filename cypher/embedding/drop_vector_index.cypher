// Remove the vector index of a slot.
//
// params:
// returns:
// mode:    schema
// slots:   a b
DROP INDEX memory_embedding_a IF EXISTS
