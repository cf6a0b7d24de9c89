// Pending credits.
//
// params:  limit INTEGER
// returns: rows: credit MAP of properties; count: waiting INTEGER
// mode:    read
// choices: rows (oldest first) count
MATCH (c:Credit)
WHERE c.uid > ''
//= rows
WITH c ORDER BY c.uid LIMIT $limit
RETURN c {.*} AS credit
ORDER BY credit.uid
//= count
//| RETURN count(c) AS waiting
//=
