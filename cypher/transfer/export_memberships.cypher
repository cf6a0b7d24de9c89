// Who is a member of which channel, a page by both: the rest of the agent that was begun, then later ones. Who is leaving
// is none any more.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, after_id STRING,
//          end STRING (behind the last scope), limit INTEGER
// returns: membership MAP {scope STRING (of the agent), channel STRING, joined_at ZONED DATETIME}
// mode:    read
CALL () {
  MATCH (a:Scope {scope: $after})-[m:MEMBER_OF]->(c:Scope)
  WHERE c.scope > $after_id AND m.left_at IS NULL
    AND a.tenant = $tenant AND ($whole OR a.scope IN $scopes AND c.scope IN $scopes)
  RETURN a, m, c ORDER BY c.scope LIMIT $limit
UNION ALL
  MATCH (a:Scope)
    USING INDEX a:Scope(scope)
  WHERE a.scope > $after AND a.scope < $end AND a.tenant = $tenant
  MATCH (a)-[m:MEMBER_OF]->(c:Scope)
  WHERE m.left_at IS NULL AND ($whole OR a.scope IN $scopes AND c.scope IN $scopes)
  RETURN a, m, c ORDER BY a.scope, c.scope LIMIT $limit
}
WITH a, m, c ORDER BY a.scope, c.scope LIMIT $limit
RETURN {scope: a.scope, channel: c.scope, joined_at: m.joined_at} AS membership
