// Measure the Q of memories.
//
// params:  scopes LIST<STRING>, grouping STRING (agent_id, channel_id, phase, stratum or kind), limit INTEGER (> 0), bins
//          INTEGER (> 0)
// returns: memories INTEGER; all and groups: learned INTEGER (that rewards have moved), mean FLOAT, deviation FLOAT, least
//          FLOAT, most FLOAT; all: percentiles LIST<FLOAT> (10th, 25th, 50th, 75th, 90th, 99th), NULL where there is no
//          memory; groups: name STRING ('' without one); bins: bin INTEGER (from 0; the last one holds 1)
// mode:    read
// choices: all groups (by one of their properties, the largest first) bins (equal ones of [0, 1]; empty ones are left out)
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.state <> 'hidden'
//= bins
//| WITH toInteger(m.q_value * $bins) AS place
//| RETURN CASE WHEN place < $bins THEN place ELSE $bins - 1 END AS bin, count(*) AS memories
//| ORDER BY bin
//= groups
//| WITH coalesce(m[$grouping], '') AS name, m
//| RETURN name, count(m) AS memories, count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
//= all
RETURN count(m) AS memories, count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       [percentileCont(m.q_value, 0.1), percentileCont(m.q_value, 0.25),
        percentileCont(m.q_value, 0.5), percentileCont(m.q_value, 0.75),
        percentileCont(m.q_value, 0.9), percentileCont(m.q_value, 0.99)] AS percentiles,
//= all groups
       avg(m.q_value) AS mean, stDevP(m.q_value) AS deviation,
       min(m.q_value) AS least, max(m.q_value) AS most
//= groups
//| ORDER BY memories DESC, name
//| LIMIT $limit
//=
