// Unlink episodes from their old targets: those of links of the service that no longer apply, and the edge of the other
// verdict.
//
// params:  rows LIST<MAP> {uid STRING, keep LIST<LIST> [type STRING, uid STRING]}
// returns: parted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (e:Memory {uid: row.uid})-[edge:SOLVED|ATTEMPTED|USED]->(t:Memory)
WHERE t.source_type = 'episode' AND (t:Problem OR t:Strategy) AND NOT [type(edge), t.uid] IN row.keep
   OR type(edge) <> 'USED'
      AND [CASE type(edge) WHEN 'SOLVED' THEN 'ATTEMPTED' ELSE 'SOLVED' END, t.uid] IN row.keep
DELETE edge
WITH e, t, count(*) AS parted
SET e.link_count = coalesce(e.link_count, 0) - parted, t.link_count = coalesce(t.link_count, 0) - parted
RETURN sum(parted) AS parted
