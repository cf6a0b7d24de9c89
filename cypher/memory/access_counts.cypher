// How often memories were recalled, as far as it is written.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>
// returns: uid STRING, access_count INTEGER
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope IN $scopes
RETURN m.uid AS uid, coalesce(m.access_count, 0) AS access_count
