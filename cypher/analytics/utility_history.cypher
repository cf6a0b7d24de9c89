// Utility: the history of one memory, each reward that moved it
//
// params:  memory STRING (uid or external id; '' takes the one with most rewards), scope STRING
//          (such as agent/planner; '' is every scope)
// returns: seq INTEGER, recorded_at ZONED DATETIME, kind STRING, task_id STRING, status STRING,
//          reward FLOAT [-1, 1], target FLOAT [0, 1] (where it pulled Q), step FLOAT [0, 1],
//          q_before FLOAT [0, 1], q_after FLOAT [0, 1], via STRING (direct or USED),
//          reverted BOOLEAN, text STRING
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
RETURN moved.seq AS seq, w.recorded_at AS recorded_at, coalesce(w.kind, 'outcome') AS kind,
       w.task_id AS task_id, coalesce(w.signal, w.status) AS status, moved.reward AS reward,
       round(coalesce(moved.target, moved.reward), 4) AS target, round(moved.step, 4) AS step,
       round(moved.q_before, 4) AS q_before, round(moved.q_after, 4) AS q_after,
       coalesce(moved.via, 'direct') AS via, w.reverted_at IS NOT NULL AS reverted,
       left(m.text, 120) AS text
ORDER BY seq, recorded_at
