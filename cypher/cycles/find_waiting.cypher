// A scope with so many ended cycles that its outer loop is due.
//
// params:  every INTEGER
// returns: scope STRING, waiting INTEGER
// mode:    read
MATCH (l:CycleLearning)
WHERE l.waiting >= $every
RETURN l.scope AS scope, l.waiting AS waiting
ORDER BY l.waiting DESC, scope
LIMIT 20
