// Restore locked sources of condensed memories about to be removed; those changed since, or represented by others, stay
// as they are. Restored problems wait for a concept again.
//
// Sources that left their place in a session get it back, and have to be inserted.
//
// params:  uids LIST<STRING> (sorted), run STRING, active STRING, archived STRING (keys of states)
// returns: uid STRING, scope STRING, back BOOLEAN, problem BOOLEAN (it was with a concept), chained BOOLEAN (by session
//          and place)
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
OPTIONAL MATCH (m)<-[covers:PROMOTED_FROM]-(:Memory {erased_by: $run})
WITH m, collect(covers) AS covers
WITH m, covers,
     m.matched_at IS NOT NULL
       AND EXISTS { MATCH (m)-[:REQUIRES]->(concept:Concept) WHERE concept.erased_by = $run } AS problem,
     m.state = 'archived' AND any(edge IN covers WHERE
       (edge.revision IS NULL OR edge.revision = coalesce(m.revision, 1))
       AND (edge.run_uid IS NULL OR edge.run_uid = m.condensed_by))
     AND NOT EXISTS { MATCH (m)<-[:PROMOTED_FROM]-(other:Memory) WHERE other.erased_by IS NULL } AS back
WITH m, covers, problem, back, back AND m.stood_at IS NOT NULL AS chained
FOREACH (edge IN covers | DELETE edge)
FOREACH (_ IN CASE WHEN back THEN [1] ELSE [] END |
  SET m.state = 'active', m.keys = [key IN m.keys WHERE key <> $archived] + $active,
      m.sequence = coalesce(m.stood_at, m.sequence)
  REMOVE m.condensed_by, m.stood_at)
FOREACH (_ IN CASE WHEN problem THEN [1] ELSE [] END | REMOVE m.matched_at)
RETURN m.uid AS uid, m.scope AS scope, back, problem, chained
ORDER BY m.session_id, m.sequence, uid
