// Read the terms that memories mention, and since when the memories wait for links.
//
// params:  uids LIST<STRING> (sorted)
// returns: uid STRING, since ZONED DATETIME or NULL, mentioned LIST of [scope, name]
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, m.unlinked_since AS since,
       [(m)-[:MENTIONS]->(t:Term) | [t.scope, t.name]] AS mentioned
