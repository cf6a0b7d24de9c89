// Lock the surprise plugins of some agents, by a write that reads nothing: what they have learned is read after.
//
// params:  scopes LIST<STRING> (sorted)
// returns: locked INTEGER
// mode:    write
// choices: attached new (one that is not there is made, for who attaches it)
UNWIND $scopes AS scope
//= attached
MATCH (p:SurprisePlugin {scope: scope})
//= new
//| MERGE (p:SurprisePlugin {scope: scope})
//=
SET p.asked_at = datetime.realtime()
RETURN count(*) AS locked
