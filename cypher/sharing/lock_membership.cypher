// Lock who is a member of a channel, by a write that reads nothing: what it says is read after.
//
// params:  agent STRING, channel STRING (scopes)
// returns: locked INTEGER
// mode:    write
MATCH (:Scope {scope: $agent})-[m:MEMBER_OF]->(:Scope {scope: $channel})
SET m.asked_at = datetime.realtime()
RETURN count(*) AS locked
