// Lock, leave or end the membership of an agent in a channel.
//
// params:  agent STRING, channel STRING (scopes), now ZONED DATETIME
// returns: lock and lock_all: locked INTEGER; leave: left_at ZONED DATETIME; end: ended INTEGER
// mode:    write
// choices: lock (by a write that reads nothing: what it says is read after) lock_all (the same with those of all agents, in
//          the order of their names) leave (note that the agent leaves; the membership is locked) end (forget one that was
//          left, once nothing is shared by it any more)
//= lock leave end
MATCH (:Scope {scope: $agent})-[m:MEMBER_OF]->(:Scope {scope: $channel})
//= lock_all
//| MATCH (a:Scope)-[m:MEMBER_OF]->(:Scope {scope: $channel})
//| WITH m ORDER BY a.scope
//= lock lock_all
SET m.asked_at = datetime.realtime()
RETURN count(*) AS locked
//= leave
//| SET m.left_at = coalesce(m.left_at, $now)
//| RETURN m.left_at AS left_at
//= end
//| WHERE m.left_at IS NOT NULL
//| DELETE m
//| RETURN count(*) AS ended
//=
