// What memories may replace: by uid or external id, with when each begins to hold.
//
// params:  names LIST<MAP> {scope STRING, uid STRING or NULL, external_id STRING or NULL},
//          open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: place INTEGER (of the name), uid STRING, begins ZONED DATETIME, is_copy BOOLEAN
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
WITH place, m
WHERE m.state <> 'hidden'
RETURN place, m.uid AS uid, CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END AS begins,
       m.published_at IS NOT NULL AS is_copy
