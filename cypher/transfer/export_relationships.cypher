// How agents stand to each other, a page by both: the rest of the agent that was begun, then later ones.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING,
//          end STRING (behind the last scope), limit INTEGER
// returns: relationship MAP {scope STRING, other STRING (of the agents), trust FLOAT, interactions INTEGER,
//          last_at ZONED DATETIME}
// mode:    read
CALL () {
  MATCH (a:Scope {scope: $after})-[r:RELATES_TO]->(o:Scope)
  WHERE o.scope > $after_id AND a.tenant = $tenant AND ($whole OR a.scope IN $scopes AND o.scope IN $scopes)
  RETURN a, r, o ORDER BY o.scope LIMIT $limit
UNION ALL
  MATCH (a:Scope)
    USING INDEX a:Scope(scope)
  WHERE a.scope > $after AND a.scope < $end AND a.tenant = $tenant
  MATCH (a)-[r:RELATES_TO]->(o:Scope)
  WHERE $whole OR a.scope IN $scopes AND o.scope IN $scopes
  RETURN a, r, o ORDER BY a.scope, o.scope LIMIT $limit
}
WITH a, r, o ORDER BY a.scope, o.scope LIMIT $limit
RETURN {scope: a.scope, other: o.scope, trust: r.trust, interactions: r.interactions, last_at: r.last_at} AS relationship
