// What agents of a channel contradict each other in and vote on is found by the channel.
//
// down: Lists of what a channel agrees on scan the channel.
//= up
CREATE INDEX contradicts_scope IF NOT EXISTS
FOR ()-[r:CONTRADICTS]-() ON (r.scope);
CREATE INDEX voted_scope IF NOT EXISTS
FOR ()-[r:VOTED]-() ON (r.scope);
//= down
//| DROP INDEX voted_scope IF EXISTS;
//| DROP INDEX contradicts_scope IF EXISTS;
//=
