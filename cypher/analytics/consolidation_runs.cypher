// Strata: what each run of consolidation did, and what it saved
//
// params:  scope STRING (such as agent/planner; '' is every scope), days INTEGER (back from now),
//          limit INTEGER (> 0, rows at most)
// returns: at ZONED DATETIME, scope STRING, state STRING, clusters INTEGER, sources INTEGER, condensed INTEGER,
//          chars_before INTEGER, chars_after INTEGER, kept FLOAT (share of the characters) or NULL
// mode:    read
//
// :params {scope: '', days: 30, limit: 100}
MATCH (r:Run)
WHERE r.started_at >= datetime() - duration({days: toInteger($days)}) AND r.scope ENDS WITH $scope
  AND r.kind = 'consolidation'
RETURN r.started_at AS at, r.scope AS scope, r.state AS state, r.clusters AS clusters, r.sources AS sources,
       r.condensed AS condensed, r.chars_before AS chars_before, r.chars_after AS chars_after,
       CASE WHEN r.chars_before > 0 THEN round(1.0 * r.chars_after / r.chars_before, 4) END AS kept
ORDER BY at DESC
LIMIT toInteger($limit)
