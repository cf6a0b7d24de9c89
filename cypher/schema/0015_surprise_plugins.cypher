// Surprise plugins of agents, and important memories found by index.
//
// down: Takes surprise plugins away with what they have learned; memories stay.
//= up
CREATE CONSTRAINT surprise_plugin_scope IF NOT EXISTS
FOR (p:SurprisePlugin) REQUIRE p.scope IS UNIQUE;
CREATE INDEX memory_scope_importance IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.importance, m.occurred_at);
//= down
//| DROP INDEX memory_scope_importance IF EXISTS;
//| DROP CONSTRAINT surprise_plugin_scope IF EXISTS;
//| MATCH (p:SurprisePlugin)
//| CALL (p) { DELETE p } IN TRANSACTIONS OF 5000 ROWS;
//=
