// Make sources active again, in their place in the session, which their condensed memory leaves first.
//
// params:  condensed LIST<STRING>, sources LIST<STRING>, active STRING, archived STRING (the keys of these states)
// returns: chained LIST<STRING> (what has a place in a session again, in its order)
// mode:    write
CALL () {
  UNWIND $condensed AS uid
  MATCH (m:Memory {uid: uid})
  REMOVE m.sequence
  RETURN count(*) AS left
}
WITH left
UNWIND $sources AS uid
MATCH (s:Memory {uid: uid})
SET s.sequence = coalesce(s.stood_at, s.sequence), s.state = 'active',
    s.keys = [key IN s.keys | CASE key WHEN $archived THEN $active ELSE key END]
REMOVE s.condensed_by, s.stood_at
WITH s ORDER BY s.session_id, s.sequence
RETURN [each IN collect(s) WHERE each.sequence IS NOT NULL | each.uid] AS chained
