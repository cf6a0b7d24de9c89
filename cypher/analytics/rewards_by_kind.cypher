// Rewards: how many of each sort, and what they moved
//
// params:  scope STRING (such as agent/planner; '' is every scope), days INTEGER (> 0, back from now)
// returns: kind STRING (outcome, step, signal, manual or revert), said STRING (status or signal),
//          rewards INTEGER, reverted INTEGER, mean_reward FLOAT, memories INTEGER (moved, each time),
//          gained FLOAT, newest ZONED DATETIME
// mode:    read
//
// :params {scope: '', days: 30}
MATCH (w:Reward)
WHERE w.scope ENDS WITH $scope AND w.recorded_at >= datetime() - duration({days: toInteger($days)})
CALL (w) {
  MATCH (w)-[moved:REWARDED]->(:Memory)
  RETURN count(moved) AS moves, sum(moved.q_after - moved.q_before) AS gained
}
RETURN coalesce(w.kind, 'outcome') AS kind, coalesce(w.signal, w.status, '') AS said,
       count(w) AS rewards, count(w.reverted_at) AS reverted,
       round(avg(w.reward), 4) AS mean_reward, sum(moves) AS memories,
       round(sum(gained), 4) AS gained, max(w.recorded_at) AS newest
ORDER BY rewards DESC, kind, said
