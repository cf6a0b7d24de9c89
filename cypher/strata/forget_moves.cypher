// Forget moves that can no longer be undone, the oldest first, and the runs that have none left.
//
// params:  before ZONED DATETIME, limit INTEGER
// returns: forgotten INTEGER
// mode:    write
MATCH (t:Transition)
WHERE t.at < $before
WITH t ORDER BY t.at LIMIT $limit
DELETE t
RETURN count(*) AS forgotten
