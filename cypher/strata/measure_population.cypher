// Count the memories of each stratum of some scopes, active and out of recall, and the length of their texts.
//
// params:  scopes LIST<STRING>, strata LIST<STRING>
// returns: stratum STRING, active INTEGER, archived INTEGER, characters INTEGER (of active texts)
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
WHERE m.scope IN $scopes AND m.stratum IN $strata AND m.state IN ['active', 'archived'] AND m.recorded_at IS NOT NULL
RETURN m.stratum AS stratum, count(CASE m.state WHEN 'active' THEN 1 END) AS active,
       count(CASE m.state WHEN 'archived' THEN 1 END) AS archived,
       sum(CASE m.state WHEN 'active' THEN size(m.text) ELSE 0 END) AS characters
ORDER BY stratum
