// A run of the gates that was cut off, of any tenant.
//
// params:
// returns: run MAP of properties
// mode:    read
MATCH (r:Run)
WHERE r.uid > '' AND r.kind = 'gates' AND r.state IN ['running', 'undoing']
RETURN r {.*} AS run
ORDER BY r.started_at, r.uid
LIMIT 1
