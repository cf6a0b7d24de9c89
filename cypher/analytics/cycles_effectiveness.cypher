// Cycles: how effective reasoning was, by mode, phase and tool, day by day
//
// params:  days INTEGER (> 0, back from now), scope STRING (the end of a scope, such as agent/planner; '' is everybody)
// returns: by STRING ('mode', 'phase' or 'tool'), name STRING, day DATE, reported INTEGER (steps, or calls of the tool),
//          successes INTEGER, failures INTEGER, success_rate FLOAT or NULL (of those that were decided), confidence FLOAT (mean)
// mode:    read
//
// :params {days: 30, scope: ''}
MATCH (s:CycleStep)
WHERE s.scope ENDS WITH $scope AND s.at >= datetime() - duration({days: $days})
// A call is written as {"tool":"…","status":"…", …}.
WITH s, [part IN split(coalesce(s.calls, ''), '{"tool":"')[1..] WHERE part CONTAINS '","status":"'] AS calls
UNWIND [{by: 'mode', name: s.mode, outcome: s.outcome}, {by: 'phase', name: s.phase, outcome: s.outcome}] +
       [part IN calls | {by: 'tool', name: split(part, '","status":"')[0],
                         outcome: split(split(part, '","status":"')[1], '"')[0]}] AS one
WITH one.by AS by, one.name AS name, date(s.at) AS day, count(*) AS reported, avg(s.confidence) AS confidence,
     count(CASE WHEN one.outcome = 'success' THEN 1 END) AS successes,
     count(CASE WHEN one.outcome = 'failure' THEN 1 END) AS failures
RETURN by, name, day, reported, successes, failures,
       CASE WHEN successes + failures > 0 THEN toFloat(successes) / (successes + failures) END AS success_rate, confidence
ORDER BY by, name, day
