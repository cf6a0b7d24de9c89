// A memory and, where it was condensed, what it still stands for: those that no erasure has marked.
//
// params:  uid STRING
// returns: uid STRING
// mode:    read
MATCH (m:Memory {uid: $uid})-[:PROMOTED_FROM*0..8]->(s:Memory)
WHERE s.erased_by IS NULL AND (s.uid = $uid OR s.condensed_by IS NOT NULL AND s.state = 'archived')
RETURN DISTINCT s.uid AS uid
