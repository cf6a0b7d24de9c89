// Memberships of agents in channels.
//
// params:  tenant STRING, agents LIST<STRING>, channels LIST<STRING> (scopes), limit INTEGER, agent STRING, channel STRING
//          (scopes), now ZONED DATETIME
// returns: agent STRING, channel STRING (scopes), joined_at ZONED DATETIME, left_at ZONED DATETIME or NULL; standing: copies
//          INTEGER
// mode:    read
// choices: standing (of some agents, and in some channels) leaving (that were left, and whose copies may not be gone yet)
//          one (whether it stands or not)
//= standing
CALL () {
  UNWIND $agents AS scope
  MATCH (a:Scope {scope: scope})-[m:MEMBER_OF]->(c:Scope)
  RETURN a, m, c
UNION
  UNWIND $channels AS scope
  MATCH (c:Scope {scope: scope})<-[m:MEMBER_OF]-(a:Scope)
  RETURN a, m, c
}
WITH a, m, c
WHERE m.left_at IS NULL AND a.tenant = $tenant AND c.tenant = $tenant
WITH a, m, c
ORDER BY c.scope, a.scope
LIMIT $limit
//= leaving
//| MATCH (a:Scope)-[m:MEMBER_OF]->(c:Scope)
//| WHERE m.left_at <= $now
//= one
//| MATCH (a:Scope {scope: $agent})-[m:MEMBER_OF]->(c:Scope {scope: $channel})
//=
RETURN a.scope AS agent, c.scope AS channel, m.joined_at AS joined_at, m.left_at AS left_at
//= standing
  , COUNT { MATCH (copy:Memory {scope: c.scope, published_by: a.name})
            WHERE copy.uid > '' AND copy.state = 'active' } AS copies
ORDER BY channel, agent
//= leaving
//| ORDER BY left_at, agent, channel
//| LIMIT $limit
//=
