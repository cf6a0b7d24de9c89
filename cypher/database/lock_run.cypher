// Lock a run, by a write that reads nothing, and read how it stands then.
//
// params:  uid STRING, waited BOOLEAN (somebody waits for what is done to it now)
// returns: run MAP of properties
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.asked_at = CASE WHEN $waited THEN datetime.realtime() ELSE datetime({epochSeconds: 0}) END
RETURN r {.*} AS run
