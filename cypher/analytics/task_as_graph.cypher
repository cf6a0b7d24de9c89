// A task as a graph: its recalled memories and its reward
//
// params:  task_id STRING ('' takes the newest tasks), scope STRING (such as agent/planner; '' is
//          every scope), limit INTEGER (> 0, rows at most)
// returns: t Task, given RETRIEVED, m Memory, moved REWARDED, w Reward
// mode:    read
//
// :params {task_id: '', scope: '', limit: 100}
MATCH (t:Task)
WHERE t.scope ENDS WITH $scope AND ($task_id = '' OR t.task_id = $task_id)
WITH t
ORDER BY t.created_at DESC, t.task_id
LIMIT toInteger($limit)
MATCH (t)-[given:RETRIEVED]->(m:Memory)
OPTIONAL MATCH (m)<-[moved:REWARDED]-(w:Reward {scope: t.scope, task_id: t.task_id})
RETURN t, given, m, moved, w
