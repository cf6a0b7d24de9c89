// A scope whose gates were not run for as long as its tenant has set; those never looked at first.
//
// params:  now ZONED DATETIME, seconds FLOAT, own MAP (the same by tenant); below 0: never
// returns: scope STRING, runs INTEGER (so far)
// mode:    read
MATCH (s:Scope)
  USING INDEX s:Scope(scope)
WHERE s.scope > ''
WITH s, coalesce($own[s.tenant], $seconds) AS seconds
WHERE seconds >= 0 AND (s.gated_at IS NULL OR s.gated_at + duration({seconds: seconds}) <= $now)
RETURN s.scope AS scope, coalesce(s.gate_runs, 0) AS runs
ORDER BY s.gated_at IS NOT NULL, s.gated_at, s.scope
LIMIT 1
