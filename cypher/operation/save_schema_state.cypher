// Record the schema's version after a migration, and the embedder if none is recorded.
//
// params:  version INTEGER, embedder STRING, dimension INTEGER, source STRING, now ZONED DATETIME
// returns: version INTEGER
// mode:    write
MERGE (s:Schema {name: 'schema'})
ON CREATE SET s.embedder = $embedder, s.dimension = $dimension, s.source = $source, s.slot = 'a', s.created_at = $now
SET s.version = $version, s.migrated_at = $now
RETURN s.version AS version
