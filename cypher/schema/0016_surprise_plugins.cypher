// Surprise plugins of agents.
//
// down: Takes surprise plugins away with what they have learned.
//= up
CREATE CONSTRAINT surprise_plugin_scope IF NOT EXISTS
FOR (p:SurprisePlugin) REQUIRE p.scope IS UNIQUE;
//= down
//| DROP CONSTRAINT surprise_plugin_scope IF EXISTS;
//| MATCH (p:SurprisePlugin)
//| CALL (p) { DELETE p } IN TRANSACTIONS OF 5000 ROWS;
//=
