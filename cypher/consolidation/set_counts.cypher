// Write down what a run did, when it is done.
//
// params:  uid STRING, counts MAP of INTEGER
// returns: changed INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r += $counts
RETURN count(*) AS changed
