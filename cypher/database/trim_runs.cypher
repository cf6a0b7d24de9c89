// Forget runs of one kind in a scope that make room for another.
//
// Of those that made room there is one with each insert into a full stratum: of these the latest alone.
//
// params:  scope STRING, kind STRING, over LIST<STRING> (states), kept INTEGER, now ZONED DATETIME
// returns: trimmed INTEGER
// mode:    write
// choices: oldest (that are over: the latest stay, and what can be undone or has to purge yet) quiet (the one that changed
//          nothing: the next one takes its place)
MATCH (r:Run)
  USING INDEX r:Run(scope, kind, started_at)
WHERE r.scope = $scope AND r.kind = $kind AND r.started_at IS NOT NULL
//= oldest
  AND r.state IN $over AND (r.state <> 'done' OR r.by = 'room' OR r.undo_until < $now AND r.purge_at IS NULL)
WITH r ORDER BY r.started_at DESC, r.uid DESC
SKIP $kept
//= quiet
//|   AND r.quiet AND r.state = 'done'
//=
DELETE r
RETURN count(*) AS trimmed
