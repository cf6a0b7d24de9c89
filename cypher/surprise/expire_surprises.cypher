// Remove surprises and predictions whose time is over, up to a number of each.
//
// params:  now ZONED DATETIME, limit INTEGER
// returns: expired INTEGER
// mode:    write
CALL () {
  MATCH (s:Surprise)
  WHERE s.expires_at <= $now
  WITH s LIMIT $limit
  DETACH DELETE s
  RETURN count(*) AS surprises
}
CALL () {
  MATCH (p:Prediction)
  WHERE p.expires_at <= $now
  WITH p LIMIT $limit
  DELETE p
  RETURN count(*) AS predictions
}
RETURN surprises + predictions AS expired
