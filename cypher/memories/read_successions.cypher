// Read the memories that some replaced, newest first, and the first one that replaced each.
//
// params:  uids LIST<STRING>, most INTEGER (of what each replaced), at ZONED DATETIME
// returns: uid STRING, replaced LIST of [uid, text, occurred_at, confidence, evidence, found_by],
//          superseded_by STRING or NULL
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
CALL (m) {
  MATCH (m)-[r:SUPERSEDES]->(older:Memory)
  WHERE r.ends AND r.since <= $at AND older.state <> 'hidden'
  WITH r, older ORDER BY older.occurred_at DESC, older.uid LIMIT $most
  RETURN collect([older.uid, coalesce(older.text, ''), older.occurred_at, r.confidence, r.evidence, r.found_by]) AS replaced
}
CALL (m) {
  MATCH (newer:Memory)-[r:SUPERSEDES]->(m)
  WHERE r.ends AND r.since <= $at AND newer.state <> 'hidden'
  WITH newer ORDER BY r.since, newer.uid LIMIT 1
  RETURN collect(newer.uid) AS by
}
RETURN m.uid AS uid, replaced, head(by) AS superseded_by
