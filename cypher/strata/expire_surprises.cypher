// Remove expired surprises, predictions and momenta, up to a number of each. A momentum is locked first, and kept if an
// event moved it meanwhile.
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
CALL () {
  MATCH (m:Momentum)
  WHERE m.expires_at <= $now
  WITH m ORDER BY m.scope, m.context LIMIT $limit
  SET m.asked_at = $now
  WITH m WHERE m.expires_at <= $now
  DELETE m
  RETURN count(*) AS momenta
}
RETURN surprises + predictions + momenta AS expired
