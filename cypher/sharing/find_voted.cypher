// The statements that a vote on a memory of a channel is for: those of an agreement, else itself.
//
// params:  uid STRING
// returns: uid STRING (of the statement)
// mode:    read
MATCH (m:Memory {uid: $uid})
CALL (m) {
  MATCH (m)-[:DERIVED_FROM]->(s:Memory)
  WHERE m.made_by IS NOT NULL AND m.source_type = 'agreement'
  RETURN s
UNION
  WITH m AS s
  WHERE s.made_by IS NULL OR coalesce(s.source_type, '') <> 'agreement'
  RETURN s
}
RETURN s.uid AS uid
ORDER BY uid
