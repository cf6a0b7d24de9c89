// Count the memories of a tenant in each of some strata, in whatever state; strata without any are left out.
//
// params:  prefix STRING (the tenant and `/`, with which its scopes begin), strata LIST<STRING>
// returns: stratum STRING, held INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
WHERE m.scope STARTS WITH $prefix AND m.stratum IN $strata AND m.state IS NOT NULL AND m.recorded_at IS NOT NULL
RETURN m.stratum AS stratum, count(*) AS held
ORDER BY stratum
