// Takes the plans of consolidations away, with their runs; what was condensed stays so, and cannot be taken back.
DROP INDEX cluster_undo_until IF EXISTS;
DROP INDEX cluster_run_uid IF EXISTS;
DROP CONSTRAINT cluster_uid IF EXISTS;
MATCH (c:Cluster)
CALL (c) { DETACH DELETE c } IN TRANSACTIONS OF 5000 ROWS;
MATCH (r:Run)
WHERE r.kind = 'consolidation'
CALL (r) { DETACH DELETE r } IN TRANSACTIONS OF 5000 ROWS;
