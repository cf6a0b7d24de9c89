// End a locked erasure: from here on it names nobody.
//
// params:  uid STRING, counts STRING (JSON), now ZONED DATETIME
// returns: changed INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.state = 'done', r.counts = $counts, r.finished_at = $now
REMOVE r.subject, r.owner, r.name, r.stage, r.after, r.meant, r.revisions
RETURN count(*) AS changed
