// Text and vector of one memory, for a recall of what is like it.
//
// params:  scopes LIST<STRING>, uid STRING, external_id STRING
// returns: uid STRING, text STRING, vector LIST<FLOAT> (d)
// mode:    read
// slots:   a b
CALL () {
  MATCH (m:Memory {uid: $uid})
  RETURN m
UNION
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: $external_id})
  RETURN m
}
WITH m
WHERE m.scope IN $scopes AND m.state <> 'hidden' AND m.embedding_a IS NOT NULL
RETURN m.uid AS uid, m.text AS text, m.embedding_a AS vector
ORDER BY m.uid
LIMIT 1
