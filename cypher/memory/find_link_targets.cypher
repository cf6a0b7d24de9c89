// The uids behind names that links point to.
//
// params:  names LIST<MAP> {scope STRING, uid STRING or NULL, external_id STRING or NULL}
// returns: place INTEGER (of the name), uid STRING
// mode:    read
UNWIND range(0, size($names) - 1) AS place
WITH place, $names[place] AS name
CALL (name) {
  WITH name WHERE name.uid IS NOT NULL
  MATCH (m:Memory {uid: name.uid})
  WHERE m.scope = name.scope
  RETURN m
UNION ALL
  WITH name WHERE name.uid IS NULL
  MATCH (m:Memory {scope: name.scope, external_id: name.external_id})
  RETURN m
}
RETURN place, m.uid AS uid
