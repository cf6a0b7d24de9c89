// Remove expired events that are numbered; others first get a number, so that readers see a gap.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
MATCH (e:Event)
WHERE e.expires_at <= $now AND e.seq > 0
WITH e LIMIT $limit
WITH e ORDER BY e.uid
DELETE e
RETURN count(*) AS expired
