// Hide locked memories, and mark them with their erasure.
//
// External ids and hashes are removed at once, so that a later write under such a name creates another memory. Texts
// and vectors are removed too, with those of surprises, so that the indexes drop them; a change of state alone would
// index them again.
//
// params:  uids LIST<STRING> (sorted), run STRING
// returns: scope STRING, marked INTEGER, surprises INTEGER
// mode:    write
// slots:   a b
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
// memories marked by another erasure are removed by that one
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
