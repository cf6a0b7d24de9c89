// Note how far an erasure is that this transaction has locked.
//
// params:  uid STRING, stage STRING, after STRING (where a walk stands), counts STRING (JSON), hidden INTEGER (in all)
// returns: changed INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.stage = $stage, r.after = $after, r.counts = $counts, r.hidden = $hidden
RETURN count(*) AS changed
