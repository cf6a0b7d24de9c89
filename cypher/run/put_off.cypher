// Let a run wait, so that it keeps no other waiting.
//
// params:  uid STRING, until ZONED DATETIME
// returns: put_off INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.put_off_until = $until
RETURN count(*) AS put_off
