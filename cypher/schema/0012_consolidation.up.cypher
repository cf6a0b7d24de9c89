// Consolidation: what a run makes one of, in the order in which it does, and until when it can be undone.
CREATE CONSTRAINT cluster_uid IF NOT EXISTS
FOR (c:Cluster) REQUIRE c.uid IS UNIQUE;
CREATE INDEX cluster_run_uid IF NOT EXISTS
FOR (c:Cluster) ON (c.run_uid, c.position);
CREATE INDEX cluster_undo_until IF NOT EXISTS
FOR (c:Cluster) ON (c.undo_until);
