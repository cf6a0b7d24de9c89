// Consolidation: what a run makes one of, in the order in which it does, and until when it can be undone.
//
// down: Takes the plans of consolidations away, with their runs; what was condensed stays so, and cannot be taken back.
//= up
CREATE CONSTRAINT cluster_uid IF NOT EXISTS
FOR (c:Cluster) REQUIRE c.uid IS UNIQUE;
CREATE INDEX cluster_run_uid IF NOT EXISTS
FOR (c:Cluster) ON (c.run_uid, c.position);
CREATE INDEX cluster_undo_until IF NOT EXISTS
FOR (c:Cluster) ON (c.undo_until);
//= down
//| DROP INDEX cluster_undo_until IF EXISTS;
//| DROP INDEX cluster_run_uid IF EXISTS;
//| DROP CONSTRAINT cluster_uid IF EXISTS;
//| MATCH (c:Cluster)
//| CALL (c) { DETACH DELETE c } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (r:Run)
//| WHERE r.kind = 'consolidation'
//| CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 5000 ROWS;
//=
