// What is over is not looked at: runs are found by how far they are, memories of a stratum by whether they are active.
CREATE INDEX run_kind_state IF NOT EXISTS
FOR (r:Run) ON (r.kind, r.state);
CREATE INDEX run_kind_state_purge_at IF NOT EXISTS
FOR (r:Run) ON (r.kind, r.state, r.purge_at);
CREATE INDEX run_scope_kind_started_at IF NOT EXISTS
FOR (r:Run) ON (r.scope, r.kind, r.started_at);
DROP INDEX memory_stratum_recorded_at IF EXISTS;
CREATE INDEX memory_stratum_state IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.stratum, m.state, m.recorded_at);
