// Memories of a scope are found by importance and time: the newest of each importance, in a large scope too.
//
// down: The engines that weigh age and importance find no index, and recalls by them fail.
//= up
CREATE INDEX memory_scope_importance IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.importance, m.occurred_at);
//= down
//| DROP INDEX memory_scope_importance IF EXISTS;
//=
