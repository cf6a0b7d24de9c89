// Events: the newest that happened to utility
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: at ZONED DATETIME, name STRING, agent STRING, data STRING (JSON), seq INTEGER (null: nobody
//          has listened since), scope STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (e:Event)
WHERE e.scope ENDS WITH $scope
RETURN e.at AS at, e.name AS name, e.agent_id AS agent, e.data AS data, e.seq AS seq,
       e.scope AS scope
ORDER BY at DESC, seq DESC, e.uid DESC
LIMIT toInteger($limit)
