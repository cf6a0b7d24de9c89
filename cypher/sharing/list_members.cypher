// List the memberships of agents, and the members of channels.
//
// params:  tenant STRING, agents LIST<STRING>, channels LIST<STRING> (scopes), limit INTEGER
// returns: agent STRING, channel STRING (scopes), joined_at ZONED DATETIME, copies INTEGER
// mode:    read
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
RETURN a.scope AS agent, c.scope AS channel, m.joined_at AS joined_at,
       COUNT { MATCH (copy:Memory {scope: c.scope, published_by: a.name})
               WHERE copy.uid > '' AND copy.state = 'active' } AS copies
ORDER BY channel, agent
