// Changes of a tenant's configuration, newest first, a page of them.
//
// params:  tenant STRING, names LIST<STRING> (which to tell of), before ZONED DATETIME, before_uid STRING, limit INTEGER
// returns: uid STRING, name STRING, old STRING, new STRING, actor STRING, door STRING, changed_at ZONED DATETIME
// mode:    read
MATCH (n:ConfigChange)
WHERE n.tenant = $tenant AND n.changed_at <= $before AND n.name IN $names
  AND (n.changed_at < $before OR n.uid < $before_uid)
RETURN n.uid AS uid, n.name AS name, n.old AS old, n.new AS new, n.actor AS actor, n.door AS door,
       n.changed_at AS changed_at
ORDER BY changed_at DESC, uid DESC
LIMIT $limit
