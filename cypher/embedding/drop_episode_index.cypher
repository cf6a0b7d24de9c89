// Remove the vector index of a slot over episodes.
//
// params:
// returns:
// mode:    schema
// slots:   a b
DROP INDEX episode_embedding_a IF EXISTS
