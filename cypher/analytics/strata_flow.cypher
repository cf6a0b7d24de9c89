// Strata: what moved between them and out of recall, by day
//
// params:  scope STRING (such as agent/planner; '' is every scope), days INTEGER (back from now),
//          limit INTEGER (> 0, rows at most)
// returns: day DATE, action STRING, from STRING, to STRING, memories INTEGER, undone INTEGER, score FLOAT (mean)
// mode:    read
//
// :params {scope: '', days: 30, limit: 100}
MATCH (t:Transition)
WHERE t.at >= datetime() - duration({days: toInteger($days)}) AND t.scope ENDS WITH $scope
RETURN date(t.at) AS day, t.action AS action, t.from_stratum AS from,
       CASE t.to_state WHEN 'active' THEN t.to_stratum ELSE t.to_state END AS to, count(*) AS memories,
       count(t.undone_at) AS undone, round(avg(t.score), 4) AS score
ORDER BY day DESC, action, from, to
LIMIT toInteger($limit)
