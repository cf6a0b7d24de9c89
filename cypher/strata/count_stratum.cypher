// How many active memories a stratum of a scope holds that the gates look at.
//
// params:  scope STRING, stratum STRING
// returns: held INTEGER
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
WHERE m.scope = $scope AND m.stratum = $stratum AND m.state = 'active' AND m.recorded_at IS NOT NULL
WITH m WHERE m.published_at IS NULL AND ($stratum <> 'long_term' OR m.stratum_since IS NOT NULL)
RETURN count(m) AS held
