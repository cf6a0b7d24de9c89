// Make an agent a member of a channel, if it is none. Both scopes are locked.
//
// params:  agent STRING, channel STRING (scopes), now ZONED DATETIME
// returns: joined_at ZONED DATETIME, left_at ZONED DATETIME or NULL (it is still leaving)
// mode:    write
MATCH (a:Scope {scope: $agent})
MATCH (c:Scope {scope: $channel})
MERGE (a)-[m:MEMBER_OF]->(c)
ON CREATE SET m.joined_at = $now
RETURN m.joined_at AS joined_at, m.left_at AS left_at
