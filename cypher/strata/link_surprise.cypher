// Join a surprise to the memory of its event, in the same scope; the memory is locked.
//
// params:  surprise STRING, memory STRING
// returns: linked INTEGER, first INTEGER (1: it was joined to none before)
// mode:    write
MATCH (m:Memory {uid: $memory})
MATCH (s:Surprise {uid: $surprise})
WHERE s.scope = m.scope
WITH m, s, s.memory_uid IS NULL AS first
MERGE (m)-[:SURPRISED_BY]->(s)
SET s.memory_uid = m.uid
RETURN count(*) AS linked, count(CASE WHEN first THEN 1 END) AS first
