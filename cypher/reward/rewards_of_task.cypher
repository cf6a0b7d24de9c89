// What a task's outcome did to each memory's Q.
//
// params:  scope STRING, task_id STRING
// returns: uid STRING, q_before FLOAT [0, 1], q_after FLOAT [0, 1]
// mode:    read
MATCH (w:Reward {scope: $scope, task_id: $task_id})-[r:REWARDED]->(m:Memory)
RETURN m.uid AS uid, r.q_before AS q_before, r.q_after AS q_after
ORDER BY uid
