// Read the given end of validity of locked memories, and their replacements: decisive ones that begin no earlier, and
// were not archived by hand.
//
// params:  uids LIST<STRING>, open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: uid STRING, scope STRING, valid_to ZONED DATETIME, held_until ZONED DATETIME or NULL,
//          ending LIST of [uid, since ZONED DATETIME], marked LIST<STRING> (what is noted to end it)
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WITH m, CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END AS begins
RETURN m.uid AS uid, m.scope AS scope, m.valid_to AS valid_to, m.held_until AS held_until,
       [(newer:Memory)-[r:SUPERSEDES]->(m) WHERE r.decisive AND r.since >= begins
         AND NOT (newer.state = 'archived' AND newer.moved_by IS NULL AND newer.condensed_by IS NULL)
         | [newer.uid, r.since]] AS ending,
       [(newer:Memory)-[r:SUPERSEDES]->(m) WHERE r.ends | newer.uid] AS marked
ORDER BY uid
