// Terms, and memories that wait for their links; all that are stored already wait from now on.
//
// down: Takes the indexes and the constraint away; terms and links stay, and are compared anew after an up.
//= up
CREATE CONSTRAINT term_scope_name IF NOT EXISTS
FOR (t:Term) REQUIRE (t.scope, t.name) IS UNIQUE;
CREATE INDEX memory_unlinked_since IF NOT EXISTS
FOR (m:Memory) ON (m.unlinked_since);
CREATE INDEX memory_scope_unlinked_since IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.unlinked_since);
MATCH (m:Memory) WHERE m.unlinked_since IS NULL
CALL (m) { SET m.unlinked_since = m.recorded_at } IN TRANSACTIONS OF 5000 ROWS;
//= down
//| DROP INDEX memory_scope_unlinked_since IF EXISTS;
//| DROP INDEX memory_unlinked_since IF EXISTS;
//| DROP CONSTRAINT term_scope_name IF EXISTS;
//=
