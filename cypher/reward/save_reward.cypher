// Write an outcome: the task's end, the Reward, and what it did to each memory's Q.
//
// params:  scope STRING, tenant STRING, task_id STRING, reward_uid STRING, status STRING,
//          quality FLOAT, reward FLOAT, now ZONED DATETIME, rows LIST<MAP> {uid STRING,
//          q_before FLOAT, q_after FLOAT, sequence INTEGER, step FLOAT, share FLOAT}
// returns: rewarded INTEGER
// mode:    write
MATCH (t:Task {scope: $scope, task_id: $task_id})
SET t.status = $status, t.quality = $quality, t.reward = $reward, t.ended_at = $now
CREATE (w:Reward {uid: $reward_uid, tenant: $tenant, scope: $scope, task_id: $task_id,
                  status: $status, reward: $reward, recorded_at: $now})
SET w.quality = $quality
WITH w
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
CREATE (w)-[:REWARDED {seq: row.sequence, q_before: row.q_before, q_after: row.q_after,
                       reward: $reward, step: row.step, share: row.share}]->(m)
SET m.q_value = row.q_after, m.q_count = row.sequence, m.last_reward_at = $now,
    m.success_count = coalesce(m.success_count, 0) + CASE $status WHEN 'success' THEN 1 ELSE 0 END,
    m.failure_count = coalesce(m.failure_count, 0) + CASE $status WHEN 'failure' THEN 1 ELSE 0 END
RETURN count(*) AS rewarded
