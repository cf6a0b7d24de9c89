// Note that an agent leaves a channel; its membership is locked.
//
// params:  agent STRING, channel STRING (scopes), now ZONED DATETIME
// returns: left_at ZONED DATETIME
// mode:    write
MATCH (:Scope {scope: $agent})-[m:MEMBER_OF]->(:Scope {scope: $channel})
SET m.left_at = coalesce(m.left_at, $now)
RETURN m.left_at AS left_at
