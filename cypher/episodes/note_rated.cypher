// Give a locked scope another version, and note that its concepts are rated if it is still at the one that was read.
//
// params:  scope STRING, version STRING or NULL (none is noted), changed BOOLEAN, now ZONED DATETIME
// returns: noted BOOLEAN
// mode:    write
MATCH (s:Scope {scope: $scope})
WITH s, s.version = $version AS same, CASE WHEN $changed THEN randomUUID() ELSE s.version END AS next
SET s.version = next, s.rated_at = $now,
    s.rated_version = CASE WHEN same THEN next ELSE s.rated_version END
RETURN coalesce(same, false) AS noted
