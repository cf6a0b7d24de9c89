// What memories held before, a page by uid.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: version MAP of properties, kept BOOLEAN (its memory is shown)
// mode:    read
MATCH (v:Version)
  USING INDEX v:Version(uid)
WHERE v.uid > $after AND v.tenant = $tenant AND ($whole OR v.scope IN $scopes)
WITH v ORDER BY v.uid LIMIT $limit
RETURN v {.*} AS version, EXISTS {
  MATCH (v)-[:VERSION_OF]->(m:Memory) WHERE m.scope = v.scope AND m.state <> 'hidden'
} AS kept
ORDER BY version.uid
