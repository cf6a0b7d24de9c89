// Memories of a stratum are found by when they were recorded again, runs by their uid alone.
DROP INDEX memory_stratum_state IF EXISTS;
CREATE INDEX memory_stratum_recorded_at IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.stratum, m.recorded_at);
DROP INDEX run_scope_kind_started_at IF EXISTS;
DROP INDEX run_kind_state_purge_at IF EXISTS;
DROP INDEX run_kind_state IF EXISTS;
