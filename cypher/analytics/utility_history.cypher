// How the utility of one memory came to be: each outcome that moved it
//
// params:  memory STRING (uid or external id; '' takes the one with most outcomes), scope STRING
//          (such as agent/planner; '' is every scope)
// returns: seq INTEGER, recorded_at ZONED DATETIME, task_id STRING, status STRING, reward FLOAT
//          [-1, 1], step FLOAT (0, 1], q_before FLOAT [0, 1], q_after FLOAT [0, 1],
//          text STRING
// mode:    read
//
// :params {memory: '', scope: ''}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
  AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
WITH m
ORDER BY m.q_count DESC, m.uid
LIMIT 1
MATCH (m)<-[moved:REWARDED]-(w:Reward)
RETURN moved.seq AS seq, w.recorded_at AS recorded_at, w.task_id AS task_id, w.status AS status,
       moved.reward AS reward, moved.step AS step, round(moved.q_before, 4) AS q_before,
       round(moved.q_after, 4) AS q_after, left(m.text, 120) AS text
ORDER BY seq, recorded_at
