// Count the memories that an export shows.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, first STRING, end STRING (the names
//          between which the tenant's scopes lie)
// returns: memories INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, q_value)
WHERE m.scope >= $first AND m.scope < $end AND m.q_value IS NOT NULL
  AND m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
RETURN count(*) AS memories
