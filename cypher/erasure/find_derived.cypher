// Find unmarked nodes derived from marked memories: copies, condensed memories, and other derived ones. A channel's
// pattern is kept if enough others have it, an agreement if two agents do and one of them has its text.
//
// params:  run STRING, limit INTEGER, uids LIST<STRING>
// returns: all: uid STRING, copy BOOLEAN; some: uid STRING
// mode:    read
// choices: all (of all that are marked) some (one such, of some that were marked while the erasure went on)
//= all
MATCH (m:Memory {erased_by: $run})<-[edge:PUBLISHED_FROM|PROMOTED_FROM|DERIVED_FROM]-(made:Memory)
//= some
//| UNWIND $uids AS uid
//| MATCH (m:Memory {uid: uid})<-[edge:PUBLISHED_FROM|PROMOTED_FROM|DERIVED_FROM]-(made:Memory)
//=
// links by clients do not mean derivation: only those of the service count
WHERE made.erased_by IS NULL
  AND (type(edge) <> 'DERIVED_FROM' OR made.source_type = 'extraction' OR made.made_by IS NOT NULL
    OR made.signature IS NOT NULL)
  AND (made.agents_needed IS NULL OR COUNT {
    MATCH (made)-[:PUBLISHED_FROM]->(held:Memory)
    WHERE held.erased_by IS NULL AND held.state = 'active' AND held.text = made.text
    RETURN DISTINCT held.scope
  } < made.agents_needed)
  AND (made.made_by IS NULL OR coalesce(made.source_type, '') <> 'agreement' OR COUNT {
    MATCH (made)-[:DERIVED_FROM]->(held:Memory)
    WHERE held.erased_by IS NULL
    RETURN DISTINCT held.agent_id
  } < 2 OR NOT EXISTS {
    MATCH (made)-[:DERIVED_FROM]->(held:Memory)
    WHERE held.erased_by IS NULL AND held.text = made.text
  })
//= all
WITH made, max(CASE type(edge) WHEN 'PUBLISHED_FROM' THEN 1 ELSE 0 END) AS copies
RETURN made.uid AS uid, copies = 1 AS copy
LIMIT $limit
//= some
//| RETURN made.uid AS uid
//| LIMIT 1
//=
