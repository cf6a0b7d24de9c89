// Update the replacements by changed memories: those detected in another text are removed, and replaced memories end at
// the new start of validity.
//
// params:  rows LIST<MAP> {uid STRING, reworded BOOLEAN},
//          open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: followed INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
CALL (m, row) {
  WITH m, row WHERE row.reworded
  MATCH (m)-[r:SUPERSEDES|MAY_SUPERSEDE {found_by: 'detected'}]-()
  DELETE r
}
CALL (m) {
  MATCH (m)-[r:SUPERSEDES]->()
  SET r.since = CASE WHEN m.valid_from > $open THEN m.valid_from WHEN r.starts > m.occurred_at THEN r.starts ELSE m.occurred_at END
}
RETURN count(*) AS followed
