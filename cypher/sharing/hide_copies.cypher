// Hide locked copies from all answers.
//
// params:  uids LIST<STRING> (sorted), active STRING, hidden STRING (the keys of these states)
// returns: hidden INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (copy:Memory {uid: uid})
WHERE copy.published_at IS NOT NULL
SET copy.state = 'hidden',
    copy.keys = [key IN copy.keys | CASE key WHEN $active THEN $hidden ELSE key END]
RETURN count(*) AS hidden
