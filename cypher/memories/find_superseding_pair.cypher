// Two memories, each by uid or external id, if they lie in scopes of the caller, with when each begins to hold.
//
// params:  scopes LIST<STRING>, open ZONED DATETIME (what an open beginning of validity is stored as),
//          newer_uid STRING, newer_external_id STRING, older_uid STRING, older_external_id STRING
// returns: place INTEGER (0 newer, 1 older), uid STRING, scope STRING, begins ZONED DATETIME, is_copy BOOLEAN
// mode:    read
UNWIND [[0, $newer_uid, $newer_external_id], [1, $older_uid, $older_external_id]] AS name
CALL (name) {
  MATCH (m:Memory {uid: name[1]})
  RETURN m
UNION
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: name[2]})
  RETURN m
}
WITH name[0] AS place, m
WHERE m.scope IN $scopes AND m.state <> 'hidden'
WITH place, m ORDER BY m.uid
WITH place, head(collect(m)) AS m
RETURN place, m.uid AS uid, m.scope AS scope,
       CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END AS begins,
       m.published_at IS NOT NULL AS is_copy
ORDER BY place
