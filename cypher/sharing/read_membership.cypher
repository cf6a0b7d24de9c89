// Since when an agent is a member of a channel, and since when it leaves.
//
// params:  agent STRING, channel STRING (scopes)
// returns: joined_at ZONED DATETIME, left_at ZONED DATETIME or NULL
// mode:    read
MATCH (:Scope {scope: $agent})-[m:MEMBER_OF]->(:Scope {scope: $channel})
RETURN m.joined_at AS joined_at, m.left_at AS left_at
