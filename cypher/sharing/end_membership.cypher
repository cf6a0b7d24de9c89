// Forget a membership that was left, once nothing is shared by it any more.
//
// params:  agent STRING, channel STRING (scopes)
// returns: ended INTEGER
// mode:    write
MATCH (:Scope {scope: $agent})-[m:MEMBER_OF]->(:Scope {scope: $channel})
WHERE m.left_at IS NOT NULL
DELETE m
RETURN count(*) AS ended
