// Set the end of validity of locked memories and their copies, and mark the edges that cause it.
//
// params:  rows LIST<MAP> {uid STRING, valid_to ZONED DATETIME, held_until ZONED DATETIME or NULL,
//          keys LIST<STRING> (that of valid_to, if it is no open end), ending LIST<STRING>} (sorted)
// returns: scopes LIST<STRING>
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
SET m.valid_to = row.valid_to, m.held_until = row.held_until,
    m.keys = [key IN m.keys WHERE NOT key STARTS WITH 't'] + row.keys
WITH m, row
CALL (m, row) {
  MATCH (newer:Memory)-[r:SUPERSEDES]->(m)
  // only current causes: another one may have ended it before
  SET r.ends = newer.uid IN row.ending
}
CALL (m, row) {
  MATCH (copy:Memory)-[:PUBLISHED_FROM]->(m)
  // copies have the validity of their originals
  WHERE copy.published_by IS NOT NULL
  SET copy.valid_to = row.valid_to, copy.keys = [key IN copy.keys WHERE NOT key STARTS WITH 't'] + row.keys
  RETURN collect(copy.scope) AS channels
}
WITH collect(channels + m.scope) AS scopes
RETURN reduce(every = [], some IN scopes | every + some) AS scopes
