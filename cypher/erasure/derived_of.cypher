// What was made of some marked memories while the erasure went on, and is not marked itself.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})<-[edge:PUBLISHED_FROM|PROMOTED_FROM|DERIVED_FROM]-(made:Memory)
WHERE made.erased_by IS NULL
  AND (type(edge) <> 'DERIVED_FROM' OR made.source_type = 'extraction' OR made.made_by IS NOT NULL
    OR made.signature IS NOT NULL)
  AND (made.agents_needed IS NULL OR COUNT {
    MATCH (made)-[:PUBLISHED_FROM]->(held:Memory)
    WHERE held.erased_by IS NULL AND held.state = 'active' AND held.text = made.text
    RETURN DISTINCT held.scope
  } < made.agents_needed)
RETURN made.uid AS uid
LIMIT 1
