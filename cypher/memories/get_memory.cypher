// One memory of the scopes by uid or external id.
//
// params:  scopes LIST<STRING>, uid STRING, external_id STRING
// returns: whole: memory MAP of properties without vectors; vector: uid STRING, text STRING, vector LIST<FLOAT> (d)
// mode:    read
// slots:   a b
// choices: whole vector (text and vector, for a recall of what is like it)
//= whole
CYPHER 25
//=
CALL () {
  MATCH (m:Memory {uid: $uid})
  RETURN m
UNION
  UNWIND $scopes AS scope
  MATCH (m:Memory {scope: scope, external_id: $external_id})
  RETURN m
}
WITH m
//= whole
WHERE m.scope IN $scopes AND m.state <> 'hidden'
RETURN m {.*, embedding_a: null, embedding_other: null,
          context_text: null, folded_text: null, keys: null} AS memory
//= vector
//| WHERE m.scope IN $scopes AND m.state <> 'hidden' AND m.embedding_a IS NOT NULL
//| RETURN m.uid AS uid, m.text AS text, m.embedding_a AS vector
//=
ORDER BY m.uid
LIMIT 1
