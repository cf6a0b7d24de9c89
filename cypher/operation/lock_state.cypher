// Lock the record of the two slots, by a write that reads nothing.
//
// params:  now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
MATCH (s:Schema {name: 'schema'})
SET s.other_changed_at = $now
RETURN count(*) AS locked
