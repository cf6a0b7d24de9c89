// Erasure: what names a user, and what an erasure has marked.
//
// down: What 0010 made: the indexes of erasure.
//= up
CREATE INDEX memory_user_id IF NOT EXISTS
FOR (m:Memory) ON (m.user_id);
CREATE INDEX memory_erased_by IF NOT EXISTS
FOR (m:Memory) ON (m.erased_by);
//= down
//| DROP INDEX memory_user_id IF EXISTS;
//| DROP INDEX memory_erased_by IF EXISTS;
//=
