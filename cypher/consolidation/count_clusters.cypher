// Count the progress of a run by its clusters.
//
// params:  run STRING
// returns: clusters INTEGER, condensed INTEGER, skipped INTEGER, sources INTEGER, restored INTEGER,
//          chars_before INTEGER, chars_after INTEGER
// mode:    read
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0
RETURN count(c) AS clusters,
       sum(CASE WHEN c.state IN ['condensed', 'undone', 'kept'] THEN 1 ELSE 0 END) AS condensed,
       sum(CASE c.state WHEN 'skipped' THEN 1 ELSE 0 END) AS skipped,
       sum(CASE WHEN c.state IN ['condensed', 'undone', 'kept'] THEN size(c.sources) ELSE 0 END) AS sources,
       sum(CASE c.state WHEN 'undone' THEN size(c.sources) ELSE 0 END) AS restored,
       sum(coalesce(c.chars_before, 0)) AS chars_before, sum(coalesce(c.chars_after, 0)) AS chars_after
