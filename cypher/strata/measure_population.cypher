// Count the memories of some strata.
//
// params:  scopes LIST<STRING>, strata LIST<STRING>, prefix STRING (a tenant and `/`, with which its scopes begin)
// returns: stratum STRING; scopes: active INTEGER, archived INTEGER, characters INTEGER (of active texts); tenant: held
//          INTEGER; strata without any are left out
// mode:    read
// choices: scopes (of some, active and out of recall) tenant (in whatever state)
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
//= scopes
WHERE m.scope IN $scopes AND m.stratum IN $strata AND m.state IN ['active', 'archived'] AND m.recorded_at IS NOT NULL
RETURN m.stratum AS stratum, count(CASE m.state WHEN 'active' THEN 1 END) AS active,
       count(CASE m.state WHEN 'archived' THEN 1 END) AS archived,
       sum(CASE m.state WHEN 'active' THEN size(m.text) ELSE 0 END) AS characters
//= tenant
//| WHERE m.scope STARTS WITH $prefix AND m.stratum IN $strata AND m.state IS NOT NULL AND m.recorded_at IS NOT NULL
//| RETURN m.stratum AS stratum, count(*) AS held
//=
ORDER BY stratum
