// Pages of a scope in the order of time.
//
// down: Takes the index of the pages away.
//= up
CREATE INDEX memory_scope_recorded_at IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.recorded_at, m.uid);
//= down
//| DROP INDEX memory_scope_recorded_at IF EXISTS;
//=
