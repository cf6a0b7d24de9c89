// Drop a vector index of a slot.
//
// params:
// returns:
// mode:    schema
// slots:   a b
// choices: memories episodes
//= memories
DROP INDEX memory_embedding_a IF EXISTS
//= episodes
//| DROP INDEX episode_embedding_a IF EXISTS
//=
