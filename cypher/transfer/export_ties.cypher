// Read memberships or relationships of agents, a page by both ends: the rest of the current agent, then later ones.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING, end STRING (behind the
//          last scope), limit INTEGER
// returns: memberships: membership MAP {scope STRING (of the agent), channel STRING, joined_at ZONED DATETIME};
//          relationships: relationship MAP {scope STRING, other STRING (of the agents), trust FLOAT, interactions
//          INTEGER, last_at ZONED DATETIME}
// mode:    read
// choices: memberships (of agents in channels; who is leaving is none any more) relationships (between agents)
CALL () {
//= memberships
  MATCH (a:Scope {scope: $after})-[r:MEMBER_OF]->(b:Scope)
  WHERE b.scope > $after_id AND r.left_at IS NULL
    AND a.tenant = $tenant AND ($whole OR a.scope IN $scopes AND b.scope IN $scopes)
//= relationships
//|   MATCH (a:Scope {scope: $after})-[r:RELATES_TO]->(b:Scope)
//|   WHERE b.scope > $after_id AND a.tenant = $tenant AND ($whole OR a.scope IN $scopes AND b.scope IN $scopes)
//=
  RETURN a, r, b ORDER BY b.scope LIMIT $limit
UNION ALL
  MATCH (a:Scope)
    USING INDEX a:Scope(scope)
  WHERE a.scope > $after AND a.scope < $end AND a.tenant = $tenant
//= memberships
  MATCH (a)-[r:MEMBER_OF]->(b:Scope)
  WHERE r.left_at IS NULL AND ($whole OR a.scope IN $scopes AND b.scope IN $scopes)
//= relationships
//|   MATCH (a)-[r:RELATES_TO]->(b:Scope)
//|   WHERE $whole OR a.scope IN $scopes AND b.scope IN $scopes
//=
  RETURN a, r, b ORDER BY a.scope, b.scope LIMIT $limit
}
WITH a, r, b ORDER BY a.scope, b.scope LIMIT $limit
//= memberships
RETURN {scope: a.scope, channel: b.scope, joined_at: r.joined_at} AS membership
//= relationships
//| RETURN {scope: a.scope, other: b.scope, trust: r.trust, interactions: r.interactions, last_at: r.last_at} AS relationship
//=
