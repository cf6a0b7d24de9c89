// Cycles of reasoning with their phases and steps, and patches.
//
// down: Takes cycles and patches away; memories that they wrote stay.
//= up
CREATE CONSTRAINT cycle_uid IF NOT EXISTS
FOR (c:Cycle) REQUIRE c.uid IS UNIQUE;
CREATE CONSTRAINT cycle_scope_cycle_id IF NOT EXISTS
FOR (c:Cycle) REQUIRE (c.scope, c.cycle_id) IS UNIQUE;
CREATE CONSTRAINT cycle_phase_uid IF NOT EXISTS
FOR (p:CyclePhase) REQUIRE p.uid IS UNIQUE;
CREATE CONSTRAINT cycle_phase_cycle_uid_key IF NOT EXISTS
FOR (p:CyclePhase) REQUIRE (p.cycle_uid, p.key) IS UNIQUE;
CREATE CONSTRAINT cycle_step_uid IF NOT EXISTS
FOR (s:CycleStep) REQUIRE s.uid IS UNIQUE;
CREATE CONSTRAINT cycle_step_cycle_uid_key IF NOT EXISTS
FOR (s:CycleStep) REQUIRE (s.cycle_uid, s.key) IS UNIQUE;
CREATE CONSTRAINT patch_uid IF NOT EXISTS
FOR (p:Patch) REQUIRE p.uid IS UNIQUE;
CREATE CONSTRAINT patch_cycle_uid_number IF NOT EXISTS
FOR (p:Patch) REQUIRE (p.cycle_uid, p.number) IS UNIQUE;
CREATE CONSTRAINT cycle_learning_scope IF NOT EXISTS
FOR (l:CycleLearning) REQUIRE l.scope IS UNIQUE;
CREATE INDEX cycle_scope_started_at IF NOT EXISTS
FOR (c:Cycle) ON (c.scope, c.started_at, c.uid);
CREATE INDEX cycle_scope_ended_at IF NOT EXISTS
FOR (c:Cycle) ON (c.scope, c.ended_at);
CREATE INDEX cycle_state_touched_at IF NOT EXISTS
FOR (c:Cycle) ON (c.state, c.touched_at);
CREATE INDEX cycle_expires_at IF NOT EXISTS
FOR (c:Cycle) ON (c.expires_at);
CREATE INDEX cycle_user_id IF NOT EXISTS
FOR (c:Cycle) ON (c.user_id);
CREATE INDEX patch_scope_made_at IF NOT EXISTS
FOR (p:Patch) ON (p.scope, p.made_at, p.uid);
CREATE INDEX cycle_learning_waiting IF NOT EXISTS
FOR (l:CycleLearning) ON (l.waiting);
//= down
//| DROP INDEX cycle_learning_waiting IF EXISTS;
//| DROP INDEX patch_scope_made_at IF EXISTS;
//| DROP INDEX cycle_user_id IF EXISTS;
//| DROP INDEX cycle_expires_at IF EXISTS;
//| DROP INDEX cycle_state_touched_at IF EXISTS;
//| DROP INDEX cycle_scope_ended_at IF EXISTS;
//| DROP INDEX cycle_scope_started_at IF EXISTS;
//| DROP CONSTRAINT cycle_learning_scope IF EXISTS;
//| DROP CONSTRAINT patch_cycle_uid_number IF EXISTS;
//| DROP CONSTRAINT patch_uid IF EXISTS;
//| DROP CONSTRAINT cycle_step_cycle_uid_key IF EXISTS;
//| DROP CONSTRAINT cycle_step_uid IF EXISTS;
//| DROP CONSTRAINT cycle_phase_cycle_uid_key IF EXISTS;
//| DROP CONSTRAINT cycle_phase_uid IF EXISTS;
//| DROP CONSTRAINT cycle_scope_cycle_id IF EXISTS;
//| DROP CONSTRAINT cycle_uid IF EXISTS;
//| MATCH (n:Cycle|CyclePhase|CycleStep|Patch|CycleLearning)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//=
