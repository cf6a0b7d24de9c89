// Take an owner's name off changes of the configuration.
//
// params:  tenant STRING, actor STRING (`agent/…` or `user/…`), limit INTEGER
// returns: ConfigChange INTEGER
// mode:    write
MATCH (n:ConfigChange) WHERE n.tenant = $tenant AND n.changed_at IS NOT NULL
WITH n WHERE n.actor = $actor
LIMIT $limit
SET n.actor = ''
RETURN count(*) AS ConfigChange
