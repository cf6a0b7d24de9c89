// Remove tasks whose time is over.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
MATCH (t:Task)
WHERE t.expires_at <= $now
WITH t LIMIT $limit
DETACH DELETE t
RETURN count(*) AS expired
