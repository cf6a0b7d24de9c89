// Current preferences of a locked scope, and its corrections, newest first.
//
// params:  scope STRING, now ZONED DATETIME, limit INTEGER
// returns: preferences LIST<MAP>, corrections LIST<MAP> (properties)
// mode:    read
CALL () {
  MATCH (n:UserPreference) WHERE n.scope = $scope AND n.valid_to > $now
  WITH n ORDER BY n.uid DESC LIMIT $limit
  RETURN collect(n {.*}) AS preferences
}
CALL () {
  MATCH (n:Correction) WHERE n.scope = $scope AND n.at IS NOT NULL
  WITH n ORDER BY n.at DESC, n.uid DESC LIMIT $limit
  RETURN collect(n {.*}) AS corrections
}
RETURN preferences, corrections
