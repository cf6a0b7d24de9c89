// The problems and strategies of episodes.
//
// params:  uids LIST<STRING> (of episodes; others may have used some too)
// returns: uid STRING, of each once
// mode:    read
UNWIND $uids AS uid
MATCH (e:Memory {uid: uid})-[:SOLVED|ATTEMPTED|USED]->(t:Memory)
WHERE t:Problem OR t:Strategy
RETURN DISTINCT t.uid AS uid
