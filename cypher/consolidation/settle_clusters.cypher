// Replace sources by condensed memories: sources leave recall and, if all are of one session, its chain.
//
// The next statement puts the condensed memory into the free place of the session.
//
// params:  rows LIST<MAP> {cluster STRING, condensed STRING, sources LIST<STRING>, chained BOOLEAN,
//          chars_before INTEGER, chars_after INTEGER}, run STRING, active STRING, archived STRING (the keys of these states)
// returns: befores LIST<STRING> (what stood right before a source)
// mode:    write
UNWIND $rows AS row
MATCH (c:Cluster {uid: row.cluster})
MATCH (m:Memory {uid: row.condensed})
SET c.state = 'condensed', c.chars_before = row.chars_before, c.chars_after = row.chars_after,
    c.q_count = m.q_count, c.importance = m.importance, m.made_by = $run
WITH row, m
UNWIND range(0, size(row.sources) - 1) AS place
MATCH (s:Memory {uid: row.sources[place]})
CREATE (m)-[:PROMOTED_FROM {run_uid: $run, position: place}]->(s)
SET s.state = 'archived', s.condensed_by = $run,
    s.keys = [key IN s.keys | CASE key WHEN $active THEN $archived ELSE key END]
WITH row, s
WHERE row.chained AND s.sequence IS NOT NULL
OPTIONAL MATCH (before:Memory)-[inward:NEXT]->(s)
OPTIONAL MATCH (s)-[onward:NEXT]->(:Memory)
SET s.stood_at = s.sequence
REMOVE s.sequence
DELETE inward, onward
WITH collect(before.uid) AS befores
RETURN befores
