// Count the memories with a Q in each of equal bins of [0, 1]; empty bins are left out.
//
// params:  scopes LIST<STRING>, bins INTEGER (> 0)
// returns: bin INTEGER (from 0; the last one holds 1), memories INTEGER
// mode:    read
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.state <> 'hidden'
WITH toInteger(m.q_value * $bins) AS place
RETURN CASE WHEN place < $bins THEN place ELSE $bins - 1 END AS bin, count(*) AS memories
ORDER BY bin
