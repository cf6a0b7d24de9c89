// The valid rewards of a task, and their updates of its memories.
//
// params:  scope STRING, task_id STRING, scopes LIST<STRING> (the caller's)
// returns: reward_uid STRING, kind STRING, reward FLOAT, signal STRING or NULL,
//          signal_id STRING or NULL,
//          moves LIST of [uid, q_before, q_after, share, step], by uid
// mode:    read
MATCH (w:Reward {scope: $scope, task_id: $task_id})
WHERE w.reverted_at IS NULL AND coalesce(w.kind, 'outcome') <> 'revert'
RETURN w.uid AS reward_uid, coalesce(w.kind, 'outcome') AS kind, w.reward AS reward,
       w.signal AS signal, w.signal_id AS signal_id, COLLECT {
  MATCH (w)-[r:REWARDED]->(m:Memory)
  WHERE coalesce(r.via, 'direct') = 'direct' AND m.scope IN $scopes
  RETURN [m.uid, r.q_before, r.q_after, r.share, r.step] AS row ORDER BY row[0]
} AS moves
ORDER BY reward_uid
