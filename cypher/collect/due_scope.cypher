// A scope with active episodes that was not looked at since; those never looked at first.
//
// params:  before ZONED DATETIME
// returns: scope STRING
// mode:    read
MATCH (s:Scope)
  USING INDEX s:Scope(scope)
WHERE s.scope > ''
  AND (s.collected_at IS NULL OR s.collected_at <= $before)
  AND EXISTS {
    MATCH (e:Episode)
      USING INDEX e:Episode(scope, state, stored_bytes)
    WHERE e.scope = s.scope AND e.state = 'active' AND e.stored_bytes IS NOT NULL
  }
RETURN s.scope AS scope
ORDER BY s.collected_at IS NOT NULL, s.collected_at, s.scope
LIMIT 1
