// Utility: which memories have come to rest, and which still move
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: at_rest BOOLEAN (the last ten rewards moved Q within 0.1; null with fewer), text STRING,
//          q_value FLOAT, spread FLOAT (of its last ten), rewards INTEGER, last_reward_at ZONED
//          DATETIME, uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_count > 0
CALL (m) {
  MATCH (m)<-[moved:REWARDED]-(:Reward)
  WITH moved.q_after AS q
  ORDER BY moved.seq DESC
  LIMIT 10
  RETURN count(q) AS looked, max(q) - min(q) AS spread
}
RETURN CASE WHEN looked = 10 THEN spread <= 0.1 END AS at_rest, left(m.text, 120) AS text,
       round(m.q_value, 4) AS q_value, round(spread, 4) AS spread, m.q_count AS rewards,
       m.last_reward_at AS last_reward_at, m.uid AS uid
ORDER BY spread DESC, rewards DESC, uid
LIMIT toInteger($limit)
