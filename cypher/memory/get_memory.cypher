// One memory by uid or external id, if it lies in one of the scopes.
//
// params:  scopes LIST<STRING>, uid STRING, external_id STRING
// returns: memory MAP of properties without vectors
// mode:    read
// slots:   a b
CYPHER 25
CALL () {
  MATCH (m:Memory {uid: $uid})
  RETURN m
UNION
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: $external_id})
  RETURN m
}
WITH m
WHERE m.scope IN $scopes AND m.state <> 'hidden'
RETURN m {.*, embedding_a: null, embedding_other: null,
          context_text: null, folded_text: null, keys: null} AS memory
ORDER BY m.uid
LIMIT 1
