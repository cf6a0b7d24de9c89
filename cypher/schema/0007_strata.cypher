// Strata: the moves of memories between them, by run, by memory and in time.
//
// down: Takes the strata's moves away, with the runs of the gates; memories stay where they are.
//= up
CREATE CONSTRAINT transition_uid IF NOT EXISTS
FOR (t:Transition) REQUIRE t.uid IS UNIQUE;
CREATE INDEX transition_run_uid IF NOT EXISTS
FOR (t:Transition) ON (t.run_uid, t.memory_uid);
CREATE INDEX transition_memory_uid IF NOT EXISTS
FOR (t:Transition) ON (t.memory_uid);
CREATE INDEX transition_at IF NOT EXISTS
FOR (t:Transition) ON (t.at);
//= down
//| DROP INDEX transition_at IF EXISTS;
//| DROP INDEX transition_memory_uid IF EXISTS;
//| DROP INDEX transition_run_uid IF EXISTS;
//| DROP CONSTRAINT transition_uid IF EXISTS;
//| MATCH (t:Transition)
//| CALL (t) { DETACH DELETE t } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (r:Run)
//| WHERE r.kind = 'gates'
//| CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (s:Scope)
//| WHERE s.gated_at IS NOT NULL
//| CALL (s) { REMOVE s.gated_at, s.gate_runs } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (m:Memory)
//| WHERE m.moved_by IS NOT NULL OR m.stratum_since IS NOT NULL
//| CALL (m) { REMOVE m.moved_by, m.stratum_since, m.demoted_at } IN TRANSACTIONS OF 5000 ROWS;
//=
