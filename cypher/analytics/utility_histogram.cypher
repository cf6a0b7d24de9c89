// Utility: memories by Q, in bins, drawn with bars
//
// params:  scope STRING (such as agent/planner; '' is every scope), bins INTEGER (> 0)
// returns: low FLOAT, high FLOAT, memories INTEGER, bar STRING (forty for the fullest bin)
// mode:    read
//
// :params {scope: '', bins: 20}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_value >= 0
WITH toInteger(m.q_value * $bins) AS place
WITH CASE WHEN place < $bins THEN place ELSE toInteger($bins) - 1 END AS bin,
     count(*) AS memories
WITH collect({bin: bin, memories: memories}) AS found, max(memories) AS most
UNWIND found AS row
WITH row.bin AS bin, row.memories AS memories, most
RETURN round(1.0 * bin / $bins, 3) AS low, round((bin + 1.0) / $bins, 3) AS high, memories,
       reduce(bar = '', _ IN range(1, toInteger(ceil(40.0 * memories / most))) | bar + '█') AS bar
ORDER BY low
