// Rewards and what they moved, by day (UTC), of the memories that were rewarded last.
//
// params:  scopes LIST<STRING>, most INTEGER (memories looked at), since ZONED DATETIME
// returns: day STRING (YYYY-MM-DD), rewards INTEGER, gained FLOAT (sum of all moves), moved FLOAT
//          (sum of their sizes), mean FLOAT (reward, [-1, 1])
// mode:    read
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.q_count > 0 AND m.last_reward_at >= $since
  AND m.state <> 'hidden'
WITH m
ORDER BY m.last_reward_at DESC, m.uid
LIMIT $most
MATCH (m)<-[moved:REWARDED]-(w:Reward)
WHERE w.recorded_at >= $since
WITH toString(date(datetime({datetime: w.recorded_at, timezone: 'Z'}))) AS day,
     moved.q_after - moved.q_before AS move, moved.reward AS reward
RETURN day, count(*) AS rewards, sum(move) AS gained, sum(abs(move)) AS moved, avg(reward) AS mean
ORDER BY day
