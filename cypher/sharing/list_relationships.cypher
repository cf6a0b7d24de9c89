// The agents related to one agent, latest first.
//
// params:  agent STRING (scope), limit INTEGER
// returns: agent STRING, other STRING (scopes), trust FLOAT, trusted FLOAT (by the other),
//          interactions INTEGER, last_at ZONED DATETIME
// mode:    read
MATCH (a:Scope {scope: $agent})-[r:RELATES_TO]->(b:Scope)
WHERE b.tenant = a.tenant
MATCH (b)-[back:RELATES_TO]->(a)
RETURN a.scope AS agent, b.scope AS other, r.trust AS trust, back.trust AS trusted,
       r.interactions AS interactions, r.last_at AS last_at
ORDER BY last_at DESC, other
LIMIT $limit
