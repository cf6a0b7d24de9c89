// Undo the replacement of a memory by a locked one, and record that it was stated.
//
// params:  newer STRING, older STRING, now ZONED DATETIME
// returns: parted INTEGER
// mode:    write
MATCH (newer:Memory {uid: $newer})
MATCH (older:Memory {uid: $older})
MERGE (newer)-[apart:DISTINCT_FROM]->(older)
ON CREATE SET apart.stated_at = $now
WITH newer, older
OPTIONAL MATCH (newer)-[r:SUPERSEDES|MAY_SUPERSEDE]->(older)
DELETE r
RETURN count(r) AS parted
