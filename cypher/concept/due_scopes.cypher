// The scope in which most correct episodes wait for concepts, if they are enough.
//
// params:  every INTEGER (> 0)
// returns: scope STRING
// mode:    read
MATCH (s:Scope)
  USING INDEX s:Scope(solved_waiting)
WHERE s.solved_waiting >= $every
RETURN s.scope AS scope
ORDER BY s.solved_waiting DESC, scope
LIMIT 1
