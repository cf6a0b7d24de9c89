// Memories by uid or external id, if they lie in one of the scopes.
//
// params:  scopes LIST<STRING>,
//          names LIST<MAP> {uid STRING or NULL, external_id STRING or NULL}
// returns: uid STRING, revision INTEGER
// mode:    read
UNWIND $names AS name
CALL (name) {
  WITH name WHERE name.uid IS NOT NULL
  MATCH (m:Memory {uid: name.uid})
  RETURN m
UNION
  WITH name WHERE name.uid IS NULL
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: name.external_id})
  RETURN m
}
WITH DISTINCT m
WHERE m.scope IN $scopes AND m.state <> 'hidden'
RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision
ORDER BY uid
