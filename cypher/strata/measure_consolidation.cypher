// Count what consolidation did in some scopes and what it saved; runs that were undone count apart.
//
// params:  tenant STRING, scopes LIST<STRING>, since ZONED DATETIME
// returns: runs INTEGER, undone INTEGER, clusters INTEGER, sources INTEGER, condensed INTEGER, chars_before INTEGER,
//          chars_after INTEGER
// mode:    read
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.started_at >= $since
WITH r WHERE r.kind = 'consolidation' AND r.scope IN $scopes
WITH r, r.state IN ['undoing', 'undone'] AS back
RETURN count(r) AS runs, count(CASE WHEN back THEN 1 END) AS undone,
       sum(CASE WHEN back THEN 0 ELSE coalesce(r.clusters, 0) END) AS clusters,
       sum(CASE WHEN back THEN 0 ELSE coalesce(r.sources, 0) END) AS sources,
       sum(CASE WHEN back THEN 0 ELSE coalesce(r.condensed, 0) END) AS condensed,
       sum(CASE WHEN back THEN 0 ELSE coalesce(r.chars_before, 0) END) AS chars_before,
       sum(CASE WHEN back THEN 0 ELSE coalesce(r.chars_after, 0) END) AS chars_after
