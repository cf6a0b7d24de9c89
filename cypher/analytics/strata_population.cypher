// Strata: how many memories each holds, and what is left of them
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: stratum STRING, active INTEGER, archived INTEGER, weight FLOAT (mean, when it was last written down),
//          importance FLOAT (mean), recalled INTEGER (in all), characters INTEGER (of active texts)
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.state IN ['active', 'archived']
WITH m.stratum AS stratum, m, m.state = 'active' AS active
RETURN stratum, count(CASE WHEN active THEN 1 END) AS active, count(CASE WHEN NOT active THEN 1 END) AS archived,
       round(avg(CASE WHEN active THEN coalesce(m.w0, 1.0) END), 4) AS weight,
       round(avg(CASE WHEN active THEN m.importance END), 2) AS importance,
       sum(CASE WHEN active THEN coalesce(m.access_count, 0) ELSE 0 END) AS recalled,
       sum(CASE WHEN active THEN size(m.text) ELSE 0 END) AS characters
ORDER BY active DESC, stratum
LIMIT toInteger($limit)
