// How many credits wait for the background.
//
// params:
// returns: waiting INTEGER
// mode:    read
MATCH (c:Credit)
WHERE c.uid > ''
RETURN count(c) AS waiting
