// Lock who is a member of a channel, in the order of their names, by a write that reads nothing.
//
// params:  channel STRING (scope)
// returns: locked INTEGER
// mode:    write
MATCH (a:Scope)-[m:MEMBER_OF]->(:Scope {scope: $channel})
WITH m ORDER BY a.scope
SET m.asked_at = datetime.realtime()
RETURN count(*) AS locked
