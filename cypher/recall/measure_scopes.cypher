// Count all memories, and those in some scopes.
//
// In a small graph the scopes are not counted; the total comes from the database's own counts.
//
// params:  scopes LIST<STRING>, least INTEGER
// returns: total INTEGER, held INTEGER (0 where total is below least)
// mode:    read
MATCH (m:Memory)
WITH count(m) AS total
CALL (total) {
  UNWIND CASE WHEN total >= $least THEN $scopes ELSE [] END AS scope
  MATCH (m:Memory)
    USING INDEX m:Memory(scope, recorded_at, uid)
  WHERE m.scope = scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
  RETURN count(m) AS held
}
RETURN total, held
