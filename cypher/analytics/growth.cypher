// Growth: how many memories were stored per day and kind
//
// params:  days INTEGER (> 0, back from now), scope STRING (such as agent/planner; '' is every
//          scope)
// returns: day DATE, kind STRING, memories INTEGER, of_the_day INTEGER (all kinds)
// mode:    read
//
// :params {days: 30, scope: ''}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.recorded_at >= datetime() - duration({days: $days})
WITH date(m.recorded_at) AS day, m.kind AS kind, count(*) AS memories
WITH day, collect({kind: kind, memories: memories}) AS kinds, sum(memories) AS of_the_day
UNWIND kinds AS row
RETURN day, row.kind AS kind, row.memories AS memories, of_the_day
ORDER BY day DESC, memories DESC, kind
