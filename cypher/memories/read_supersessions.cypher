// Read the replacements of one memory in both directions, newest first.
//
// params:  uid STRING
// returns: replaces LIST of [uid, confidence, evidence or NULL, found_by, found_at, ends BOOLEAN (the replaced one
//          stops holding by it)], replaced_by the same
// mode:    read
MATCH (m:Memory {uid: $uid})
CALL (m) {
  MATCH (m)-[r:SUPERSEDES]->(older:Memory)
  WHERE older.state <> 'hidden'
  WITH r, older ORDER BY older.occurred_at DESC, older.uid
  RETURN collect([older.uid, r.confidence, r.evidence, r.found_by, r.found_at, coalesce(r.ends, false)]) AS replaces
}
CALL (m) {
  MATCH (newer:Memory)-[r:SUPERSEDES]->(m)
  WHERE newer.state <> 'hidden'
  WITH r, newer ORDER BY newer.occurred_at DESC, newer.uid
  RETURN collect([newer.uid, r.confidence, r.evidence, r.found_by, r.found_at, coalesce(r.ends, false)]) AS replaced_by
}
RETURN replaces, replaced_by
