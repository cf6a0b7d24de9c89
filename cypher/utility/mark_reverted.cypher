// Mark a reward as reverted: its pending credits are removed, and the task that it ended is open again.
//
// params:  reward_uid STRING, now ZONED DATETIME, ends LIST<MAP> {scope STRING, task_id STRING}
// returns: reverted INTEGER
// mode:    write
MATCH (w:Reward {uid: $reward_uid})
SET w.reverted_at = $now
WITH w
CALL () {
  MATCH (c:Credit {reward_uid: $reward_uid})
  DELETE c
}
CALL () {
  UNWIND $ends AS row
  MATCH (t:Task {scope: row.scope, task_id: row.task_id})
  REMOVE t.status, t.quality, t.reward, t.report, t.ended_at
}
RETURN count(*) AS reverted
