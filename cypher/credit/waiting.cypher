// Credits that wait for the background, oldest first.
//
// params:  limit INTEGER
// returns: credit MAP of properties
// mode:    read
MATCH (c:Credit)
WHERE c.uid > ''
WITH c ORDER BY c.uid LIMIT $limit
RETURN c {.*} AS credit
ORDER BY credit.uid
