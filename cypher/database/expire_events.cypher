// Remove numbered events whose time is over; one without a number first gets it, so that its loss can be told.
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
