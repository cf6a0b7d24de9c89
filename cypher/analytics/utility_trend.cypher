// Utility: rewards by day, and how far each moved a Q
//
// params:  scope STRING (such as agent/planner; '' is every scope), days INTEGER (> 0, back from now)
// returns: day STRING, rewards INTEGER, memories INTEGER, mean_reward FLOAT [-1, 1],
//          gained FLOAT (sum of the moves), moved_each FLOAT (mean size; falls as Q comes to rest)
// mode:    read
//
// :params {scope: '', days: 30}
MATCH (m:Memory)<-[moved:REWARDED]-(w:Reward)
WHERE m.scope ENDS WITH $scope AND w.recorded_at >= datetime() - duration({days: toInteger($days)})
WITH toString(date(datetime({datetime: w.recorded_at, timezone: 'Z'}))) AS day, m, moved,
     moved.q_after - moved.q_before AS move
RETURN day, count(*) AS rewards, count(DISTINCT m) AS memories,
       round(avg(moved.reward), 4) AS mean_reward, round(sum(move), 4) AS gained,
       round(avg(abs(move)), 4) AS moved_each
ORDER BY day
