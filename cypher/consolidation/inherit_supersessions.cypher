// Give condensed memories the replacements of their sources, in both directions.
//
// Such an edge orders two memories and ends none: the other sentences of a condensed memory may still be valid. A
// condensed neighbour is represented by its condensed memory.
//
// params:  rows LIST<MAP> {condensed STRING, sources LIST<STRING>}
// returns: inherited INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.condensed})
UNWIND row.sources AS source
MATCH (:Memory {uid: source})-[r:SUPERSEDES]-(o:Memory)
WHERE o.state IN ['active', 'archived'] AND NOT o.uid IN row.sources
WITH m, r, o, startNode(r) <> o AS replaces
OPTIONAL MATCH (stands:Memory {state: 'active'})-[:PROMOTED_FROM]->(o)
WHERE o.condensed_by IS NOT NULL
WITH m, r, coalesce(stands, o) AS other, replaces
WHERE other <> m AND other.state = 'active'
WITH m, other, replaces, r ORDER BY m.uid, other.uid, r.confidence DESC
WITH CASE WHEN replaces THEN m ELSE other END AS newer, CASE WHEN replaces THEN other ELSE m END AS older, head(collect(r)) AS r
MERGE (newer)-[n:SUPERSEDES]->(older)
ON CREATE SET n = properties(r), n.decisive = false, n.ends = false
RETURN count(*) AS inherited
