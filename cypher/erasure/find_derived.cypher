// What was made of marked memories and is not marked itself: copies of them, what they were condensed to, and what the
// service derived from them.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING, copy BOOLEAN
// mode:    read
MATCH (m:Memory {erased_by: $run})<-[edge:PUBLISHED_FROM|PROMOTED_FROM|DERIVED_FROM]-(made:Memory)
WHERE made.erased_by IS NULL
  AND (type(edge) <> 'DERIVED_FROM' OR made.source_type = 'extraction' OR made.made_by IS NOT NULL
    OR made.signature IS NOT NULL)
WITH made, max(CASE type(edge) WHEN 'PUBLISHED_FROM' THEN 1 ELSE 0 END) AS copies
RETURN made.uid AS uid, copies = 1 AS copy
LIMIT $limit
