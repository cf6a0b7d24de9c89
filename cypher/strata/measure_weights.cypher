// Read the components of the weights of one stratum's active memories, in columns, the latest first; times in
// milliseconds since 1970.
//
// params:  scopes LIST<STRING>, stratum STRING, limit INTEGER
// returns: recorded_at LIST<INTEGER>, anchored_at LIST<INTEGER>, grace_until LIST<INTEGER>, initial LIST<FLOAT>,
//          importance LIST<INTEGER>, accesses LIST<INTEGER>, q_value LIST<FLOAT>
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
WHERE m.scope IN $scopes AND m.stratum = $stratum AND m.state = 'active' AND m.recorded_at IS NOT NULL
WITH m ORDER BY m.recorded_at DESC, m.uid LIMIT $limit
WITH m, m.recorded_at.epochMillis AS recorded
RETURN collect(recorded) AS recorded_at, collect(coalesce(m.w_at.epochMillis, recorded)) AS anchored_at,
       collect(coalesce(m.grace_until.epochMillis, 0)) AS grace_until, collect(coalesce(m.w0, 1.0)) AS initial,
       collect(m.importance) AS importance, collect(coalesce(m.access_count, 0)) AS accesses,
       collect(coalesce(m.q_value, 0.5)) AS q_value
