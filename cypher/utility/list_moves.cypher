// The newest updates of some memories' Q; a task is only named to its reporter.
//
// params:  scopes LIST<STRING>, uids LIST<STRING>, limit INTEGER (> 0, of each)
// returns: uid STRING, moves LIST of MAP (seq, at, status, reward, q_before, q_after, task_id), newest
//          first
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope IN $scopes AND m.state <> 'hidden'
RETURN uid, COLLECT {
  MATCH (m)<-[moved:REWARDED]-(w:Reward)
  RETURN {seq: moved.seq, at: w.recorded_at, status: w.status, reward: moved.reward,
          q_before: moved.q_before, q_after: moved.q_after,
          task_id: CASE WHEN w.scope IN $scopes THEN w.task_id END} AS move
  ORDER BY moved.seq DESC
  LIMIT $limit
} AS moves
