// Mark a prediction as answered; no row if it was already. Its momentum must be locked.
//
// params:  uid STRING, now ZONED DATETIME
// returns: taken INTEGER
// mode:    write
MATCH (p:Prediction {uid: $uid})
WHERE p.matched_at IS NULL
SET p.matched_at = $now
RETURN count(*) AS taken
