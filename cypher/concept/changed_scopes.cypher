// A scope with correct episodes that was written to since its concepts were rated, the longest ago first.
//
// params:
// returns: scope STRING, version STRING
// mode:    read
MATCH (s:Scope)
  USING INDEX s:Scope(solved_waiting)
WHERE s.solved_waiting >= 0 AND s.version <> coalesce(s.rated_version, '')
RETURN s.scope AS scope, s.version AS version
ORDER BY coalesce(s.rated_at, datetime({year: 1})), scope
LIMIT 1
