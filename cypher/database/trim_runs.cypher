// Remove old ended runs.
//
// Capacity evictions have one run per insert into a full stratum: only the latest of these is kept.
//
// params:  scope STRING, kind STRING, over LIST<STRING> (states), kept INTEGER, now ZONED DATETIME,
//          before ZONED DATETIME, limit INTEGER
// returns: trimmed INTEGER
// mode:    write
// choices: oldest (of one kind in a scope: the latest stay, and what can be undone or has to purge yet) quiet (of one kind
//          in a scope the one that changed nothing: the next one takes its place) receipts (of erasures, whose time is over)
MATCH (r:Run)
//= oldest quiet
  USING INDEX r:Run(scope, kind, started_at)
WHERE r.scope = $scope AND r.kind = $kind AND r.started_at IS NOT NULL
//= oldest
  AND r.state IN $over AND (r.state <> 'done' OR r.by = 'room' OR r.undo_until < $now AND r.purge_at IS NULL)
WITH r ORDER BY r.started_at DESC, r.uid DESC
SKIP $kept
//= quiet
//|   AND r.quiet AND r.state = 'done'
//= receipts
//|   USING INDEX r:Run(kind, state)
//| WHERE r.kind = 'erasure' AND r.state = 'done' AND r.finished_at < $before
//| WITH r ORDER BY r.uid LIMIT $limit
//=
DELETE r
RETURN count(*) AS trimmed
