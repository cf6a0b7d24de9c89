// Remove marked memories from the places in their sessions that they took from their sources.
//
// params:  uids LIST<STRING> (of the sources), run STRING
// returns: befores LIST<STRING> (what stood right before them)
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})<-[:PROMOTED_FROM]-(made:Memory {erased_by: $run})
WHERE m.stood_at IS NOT NULL AND made.sequence IS NOT NULL
// sorted: concurrent erasures delete edges in one order
WITH DISTINCT made ORDER BY made.uid
OPTIONAL MATCH (before:Memory)-[inward:NEXT]->(made)
OPTIONAL MATCH (made)-[onward:NEXT]->(:Memory)
REMOVE made.sequence
DELETE inward, onward
RETURN collect(DISTINCT before.uid) AS befores
