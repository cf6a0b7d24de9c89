// Which terms memories mention.
//
// params:  uids LIST<STRING> (sorted)
// returns: uid STRING, scope STRING, name STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[:MENTIONS]->(t:Term)
RETURN m.uid AS uid, t.scope AS scope, t.name AS name
