// Tasks and how they ended, newest first
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: scope STRING, task_id STRING, created_at ZONED DATETIME, status STRING (null: not
//          reported), quality FLOAT [0, 1], reward FLOAT [-1, 1], given INTEGER
//          (memories), ended_at ZONED DATETIME
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (t:Task)
WHERE t.scope ENDS WITH $scope
RETURN t.scope AS scope, t.task_id AS task_id, t.created_at AS created_at, t.status AS status,
       t.quality AS quality, t.reward AS reward, COUNT { (t)-[:RETRIEVED]->(:Memory) } AS given,
       t.ended_at AS ended_at
ORDER BY created_at DESC, task_id
LIMIT toInteger($limit)
