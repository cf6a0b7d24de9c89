// Remove events, each of which has its number.
//
// params:  uids LIST<STRING> (sorted)
// returns: removed INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (e:Event {uid: uid})
DETACH DELETE e
RETURN count(*) AS removed
