// Record that what the other slot holds is going away.
//
// params:
// returns: dropping INTEGER
// mode:    write
MATCH (s:Schema {name: 'schema'})
WHERE s.other_state IS NOT NULL
SET s.other_state = 'dropping'
RETURN count(*) AS dropping
