// Note that a prediction was answered; one that was before brings no row. To be asked with its momentum locked.
//
// params:  uid STRING, now ZONED DATETIME
// returns: taken INTEGER
// mode:    write
MATCH (p:Prediction {uid: $uid})
WHERE p.matched_at IS NULL
SET p.matched_at = $now
RETURN count(*) AS taken
