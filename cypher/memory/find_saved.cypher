// What is stored already of rows about to be written, by external id or by content.
//
// params:  rows LIST<MAP> {scope STRING, external_id STRING or NULL, content_hash STRING}
// returns: place INTEGER (of the row), uid STRING, content_hash STRING, session_id STRING,
//          sequence INTEGER or NULL, revision INTEGER
// mode:    read
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
CALL (row) {
  WITH row WHERE row.external_id IS NOT NULL
  MATCH (m:Memory {scope: row.scope, external_id: row.external_id})
  RETURN m
UNION ALL
  WITH row WHERE row.external_id IS NULL
  MATCH (m:Memory {scope: row.scope, content_hash: row.content_hash})
  RETURN m
}
RETURN place, m.uid AS uid, m.content_hash AS content_hash,
       m.session_id AS session_id, m.sequence AS sequence,
       coalesce(m.revision, 1) AS revision
