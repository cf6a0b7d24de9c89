// Move a run of the gates on that this transaction has locked.
//
// params:  uid STRING, state STRING, finished_at ZONED DATETIME or NULL, looked INTEGER, promote INTEGER, demote INTEGER,
//          archive INTEGER, purge INTEGER, delete INTEGER, restored INTEGER (all added)
// returns: changed INTEGER
// mode:    write
MATCH (r:Run {uid: $uid})
SET r.state = $state, r.finished_at = coalesce($finished_at, r.finished_at), r.looked = r.looked + $looked,
    r.promote = r.promote + $promote, r.demote = r.demote + $demote, r.archive = r.archive + $archive,
    r.purge = r.purge + $purge, r.delete = r.delete + $delete, r.restored = r.restored + $restored
RETURN count(*) AS changed
