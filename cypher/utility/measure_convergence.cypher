// Count the memories, of those rewarded last, that have come to rest: their last rewards moved Q
// within a band.
//
// params:  scopes LIST<STRING>, most INTEGER (memories looked at), last INTEGER (their rewards looked
//          at), band FLOAT (> 0)
// returns: learned INTEGER (looked at), judged INTEGER (with that many rewards), stable INTEGER
// mode:    read
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.q_count > 0 AND m.state <> 'hidden'
WITH m
ORDER BY m.last_reward_at DESC, m.uid
LIMIT $most
CALL (m) {
  MATCH (m)<-[moved:REWARDED]-(:Reward)
  WITH moved.q_after AS q
  ORDER BY moved.seq DESC
  LIMIT $last
  RETURN count(q) AS looked, max(q) - min(q) AS spread
}
RETURN count(m) AS learned, count(CASE WHEN looked = $last THEN 1 END) AS judged,
       count(CASE WHEN looked = $last AND spread <= $band THEN 1 END) AS stable
