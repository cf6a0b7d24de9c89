// Lock a run, by a write that reads nothing: how it stands is read after.
//
// params:  uid STRING, waited BOOLEAN (somebody waits for what is done to it now)
// returns: locked INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.asked_at = CASE WHEN $waited THEN datetime.realtime() ELSE datetime({epochSeconds: 0}) END
RETURN count(*) AS locked
