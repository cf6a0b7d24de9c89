// Memories recalled for a task: rank, score, and the effect of the outcome on each
//
// The score is (1 - lambda) * z(relevance) + lambda * z(utility) at the time of the recall.
//
// params:  task_id STRING ('' takes the newest task), scope STRING (such as agent/planner; '' is
//          every scope)
// returns: task_id STRING, phase STRING, rank INTEGER, score FLOAT, kind STRING, text STRING,
//          status STRING, reward FLOAT [-1, 1], q_before FLOAT [0, 1], q_after FLOAT [0,
//          1]
// mode:    read
//
// :params {task_id: '', scope: ''}
MATCH (t:Task)
WHERE t.scope ENDS WITH $scope AND ($task_id = '' OR t.task_id = $task_id)
WITH t
ORDER BY t.created_at DESC, t.task_id
LIMIT 1
MATCH (t)-[given:RETRIEVED]->(m:Memory)
OPTIONAL MATCH (w:Reward {scope: t.scope, task_id: t.task_id})-[moved:REWARDED]->(m)
RETURN t.task_id AS task_id, given.phase AS phase, given.rank AS rank,
       round(given.score, 3) AS score, m.kind AS kind, m.text AS text,
       w.status AS status, w.reward AS reward,
       round(moved.q_before, 3) AS q_before, round(moved.q_after, 3) AS q_after
ORDER BY phase, rank, m.uid
