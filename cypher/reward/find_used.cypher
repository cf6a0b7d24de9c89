// Memories that a caller names, if they lie in one of the scopes.
//
// params:  names LIST<MAP> {uid STRING or NULL, external_id STRING or NULL}, scopes LIST<STRING>
// returns: place INTEGER (of the name), uid STRING
// mode:    read
UNWIND range(0, size($names) - 1) AS place
WITH place, $names[place] AS name
CALL (name) {
  WITH name WHERE name.uid IS NOT NULL
  MATCH (m:Memory {uid: name.uid})
  RETURN m
UNION ALL
  WITH name WHERE name.uid IS NULL
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: name.external_id})
  RETURN m
}
WITH place, m
WHERE m.scope IN $scopes AND m.state <> 'hidden'
RETURN place, m.uid AS uid
ORDER BY place, uid
