// Take locked memories out of every answer, and note which erasure they go by.
//
// Names by which a write or an undo would find them again go at once: what is stored under such a name from here on is
// another memory. What they say goes too, with what surprised in them, so that the indexes of vectors and words drop
// them; with another state alone they would write each anew.
//
// params:  uids LIST<STRING> (sorted), run STRING
// returns: scope STRING, marked INTEGER, surprises INTEGER
// mode:    write
// slots:   a b
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
// what another erasure has marked is removed by that one
WHERE m.erased_by IS NULL
SET m.state = 'hidden', m.erased_by = $run, m.agent_id = ''
REMOVE m.embedding_a, m.embedding_other, m.text, m.context_text, m.folded_text, m.scope_key, m.keys,
       m.structured, m.metadata, m.tags,
       m.user_id, m.external_id, m.content_hash, m.unlinked_since, m.moved_by, m.condensed_by,
       m.collected_by, m.collected_at, m.collected_for, m.collected_revision
WITH m
CALL (m) {
  MATCH (m)-[:SURPRISED_BY]->(s:Surprise)
  DETACH DELETE s
  RETURN count(*) AS surprises
}
RETURN m.scope AS scope, count(*) AS marked, sum(surprises) AS surprises
ORDER BY scope
