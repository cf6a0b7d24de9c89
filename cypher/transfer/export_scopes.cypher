// Owners of scopes, a page of them by name.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: scope MAP of properties
// mode:    read
MATCH (s:Scope)
  USING INDEX s:Scope(scope)
WHERE s.scope > $after AND s.tenant = $tenant AND ($whole OR s.scope IN $scopes)
WITH s ORDER BY s.scope LIMIT $limit
RETURN s {.*} AS scope
ORDER BY scope.scope
