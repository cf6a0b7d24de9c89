// The copies of memories, and the state of their originals.
//
// params:  uids LIST<STRING> (of the originals)
// returns: original STRING, uid STRING, scope STRING, state STRING, published_by STRING,
//          published_at ZONED DATETIME, published_revision INTEGER, original_state STRING,
//          original_revision INTEGER
// mode:    read
UNWIND $uids AS uid
MATCH (copy:Memory)-[:PUBLISHED_FROM]->(m:Memory {uid: uid})
WHERE copy.published_by IS NOT NULL
RETURN m.uid AS original, copy.uid AS uid, copy.scope AS scope, copy.state AS state,
       copy.published_by AS published_by, copy.published_at AS published_at,
       copy.published_revision AS published_revision, m.state AS original_state,
       coalesce(m.revision, 1) AS original_revision
ORDER BY uid
