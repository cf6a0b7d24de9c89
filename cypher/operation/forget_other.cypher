// Record that the other slot is empty.
//
// params:
// returns: forgotten INTEGER
// mode:    write
MATCH (s:Schema {name: 'schema', other_state: 'dropping'})
REMOVE s.other_state, s.other_embedder, s.other_dimension, s.other_source, s.other_changed_at
RETURN count(*) AS forgotten
