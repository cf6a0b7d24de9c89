// What is over is not looked at: runs are found by how far they are, memories of a stratum by whether they are active.
//
// down: Memories of a stratum are found by when they were recorded again, runs by their uid alone.
//= up
CREATE INDEX run_kind_state IF NOT EXISTS
FOR (r:Run) ON (r.kind, r.state);
CREATE INDEX run_kind_state_purge_at IF NOT EXISTS
FOR (r:Run) ON (r.kind, r.state, r.purge_at);
CREATE INDEX run_scope_kind_started_at IF NOT EXISTS
FOR (r:Run) ON (r.scope, r.kind, r.started_at);
DROP INDEX memory_stratum_recorded_at IF EXISTS;
CREATE INDEX memory_stratum_state IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.stratum, m.state, m.recorded_at);
//= down
//| DROP INDEX memory_stratum_state IF EXISTS;
//| CREATE INDEX memory_stratum_recorded_at IF NOT EXISTS
//| FOR (m:Memory) ON (m.scope, m.stratum, m.recorded_at);
//| DROP INDEX run_scope_kind_started_at IF EXISTS;
//| DROP INDEX run_kind_state_purge_at IF EXISTS;
//| DROP INDEX run_kind_state IF EXISTS;
//=
