// Find memories that others are derived from, or that represent others: condensed or derived texts, also by copies,
// their sources, and problems that required a concept.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE EXISTS { MATCH (m)-[:PROMOTED_FROM]->(:Memory) }
  OR m:Concept AND EXISTS { MATCH (m)<-[:REQUIRES]-(:Problem) }
  OR EXISTS {
    MATCH (m)<-[:PUBLISHED_FROM*0..1]-(said:Memory)<-[edge:PROMOTED_FROM|DERIVED_FROM]-(made:Memory)
    WHERE type(edge) <> 'DERIVED_FROM' OR made.source_type = 'extraction' OR made.made_by IS NOT NULL
      OR made.signature IS NOT NULL
  }
RETURN uid
