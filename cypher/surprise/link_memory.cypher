// Join a surprise to the memory of its event, in the same scope.
//
// params:  surprise STRING, memory STRING
// returns: linked INTEGER
// mode:    write
MATCH (m:Memory {uid: $memory})
MATCH (s:Surprise {uid: $surprise})
WHERE s.scope = m.scope
MERGE (m)-[:SURPRISED_BY]->(s)
SET s.memory_uid = m.uid
RETURN count(*) AS linked
