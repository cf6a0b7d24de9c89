// A scope whose concepts are due.
//
// params:  every INTEGER (> 0)
// returns: waiting: scope STRING; changed: scope STRING, version STRING
// mode:    read
// choices: waiting (in which most correct episodes wait for concepts, if they are enough) changed (with correct
//          episodes that was written to since its concepts were rated, the longest ago first)
MATCH (s:Scope)
  USING INDEX s:Scope(solved_waiting)
//= waiting
WHERE s.solved_waiting >= $every
RETURN s.scope AS scope
ORDER BY s.solved_waiting DESC, scope
//= changed
//| WHERE s.solved_waiting >= 0 AND s.version <> coalesce(s.rated_version, '')
//| RETURN s.scope AS scope, s.version AS version
//| ORDER BY coalesce(s.rated_at, datetime({year: 1})), scope
//=
LIMIT 1
