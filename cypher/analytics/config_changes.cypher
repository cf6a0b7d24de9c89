// Configuration: who set what of utility while the service ran
//
// params:  scope STRING (the end of who set it, such as agent/planner; '' is everybody),
//          limit INTEGER (> 0, rows at most)
// returns: changed_at ZONED DATETIME, name STRING, old STRING (JSON), new STRING (JSON; 'null': left
//          to the environment again), actor STRING, door STRING, tenant STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (c:ConfigChange)
WHERE c.actor ENDS WITH $scope
RETURN c.changed_at AS changed_at, c.name AS name, c.old AS old, c.new AS new, c.actor AS actor,
       c.door AS door, c.tenant AS tenant
ORDER BY changed_at DESC, name
LIMIT toInteger($limit)
