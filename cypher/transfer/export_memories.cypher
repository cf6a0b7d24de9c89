// Memories, a page of them by uid; with vectors where the text alone does not give them back. What another has
// replaced ends as was said of it: the edges tell the rest.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER,
//          vectors BOOLEAN (all of them)
// returns: memory MAP of properties, vector LIST<FLOAT> (d) or NULL
// mode:    read
// slots:   a b
MATCH (m:Memory)
  USING INDEX m:Memory(uid)
WHERE m.uid > $after AND m.tenant = $tenant AND ($whole OR m.scope IN $scopes)
  AND m.state <> 'hidden'
WITH m ORDER BY m.uid LIMIT $limit
RETURN m {.*, valid_to: coalesce(m.held_until, m.valid_to), held_until: null, embedder: m.embedding_a_by, embedding_a: null, embedding_a_by: null,
          embedding_other: null, embedding_other_by: null, context_text: null, folded_text: null, keys: null} AS memory,
       CASE WHEN $vectors OR m.content_type = 'embedding' THEN m.embedding_a END AS vector
ORDER BY memory.uid
