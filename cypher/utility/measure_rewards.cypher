// Measure the updates by rewards, of the memories that were rewarded last.
//
// params:  scopes LIST<STRING>, most INTEGER (memories looked at), last INTEGER (their rewards looked at), band FLOAT (> 0),
//          since ZONED DATETIME
// returns: convergence: learned INTEGER (looked at), judged INTEGER (with that many rewards), stable INTEGER; trend: day
//          STRING (YYYY-MM-DD), rewards INTEGER, gained FLOAT (sum of all moves), moved FLOAT (sum of their sizes), mean
//          FLOAT (reward, [-1, 1])
// mode:    read
// choices: convergence (count those that have come to rest: their last rewards moved Q within a band) trend (by day, UTC)
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.q_count > 0 AND m.state <> 'hidden'
//= trend
//|   AND m.last_reward_at >= $since
//=
WITH m
ORDER BY m.last_reward_at DESC, m.uid
LIMIT $most
//= convergence
CALL (m) {
  MATCH (m)<-[moved:REWARDED]-(:Reward)
  WITH moved.q_after AS q
  ORDER BY moved.seq DESC
  LIMIT $last
  RETURN count(q) AS looked, max(q) - min(q) AS spread
}
RETURN count(m) AS learned, count(CASE WHEN looked = $last THEN 1 END) AS judged,
       count(CASE WHEN looked = $last AND spread <= $band THEN 1 END) AS stable
//= trend
//| MATCH (m)<-[moved:REWARDED]-(w:Reward)
//| WHERE w.recorded_at >= $since
//| WITH toString(date(datetime({datetime: w.recorded_at, timezone: 'Z'}))) AS day,
//|      moved.q_after - moved.q_before AS move, moved.reward AS reward
//| RETURN day, count(*) AS rewards, sum(move) AS gained, sum(abs(move)) AS moved, avg(reward) AS mean
//| ORDER BY day
//=
