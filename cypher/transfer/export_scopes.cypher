// Owners of scopes, or surprise plugins of agents, a page of them by scope.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: scopes: scope MAP of properties; plugins: plugin MAP of properties
// mode:    read
// choices: scopes plugins (that are attached)
//= scopes
MATCH (s:Scope)
  USING INDEX s:Scope(scope)
//= plugins
//| MATCH (s:SurprisePlugin)
//|   USING INDEX s:SurprisePlugin(scope)
//=
WHERE s.scope > $after AND s.tenant = $tenant AND ($whole OR s.scope IN $scopes)
//= plugins
//|   AND s.attached_at IS NOT NULL
//=
WITH s ORDER BY s.scope LIMIT $limit
//= scopes
RETURN s {.*} AS scope
ORDER BY scope.scope
//= plugins
//| RETURN s {.*} AS plugin
//| ORDER BY plugin.scope
//=
