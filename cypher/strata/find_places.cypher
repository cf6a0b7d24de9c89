// Where the memories of a scope stand that are named by uid or external id.
//
// params:  scope STRING, names LIST<MAP> {name STRING, uid STRING or NULL, external_id STRING or NULL}
// returns: name STRING, uid STRING, stratum STRING, state STRING, shared BOOLEAN (it is a channel's copy or pattern)
// mode:    read
UNWIND $names AS name
CALL (name) {
  WITH name WHERE name.uid IS NOT NULL
  MATCH (m:Memory {uid: name.uid})
  RETURN m
UNION
  WITH name WHERE name.uid IS NULL
  MATCH (m:Memory {scope: $scope, external_id: name.external_id})
  RETURN m
}
WITH name, m
WHERE m.scope = $scope AND m.state <> 'hidden'
RETURN name.name AS name, m.uid AS uid, m.stratum AS stratum, m.state AS state,
       m.published_at IS NOT NULL AS shared
ORDER BY uid, name
