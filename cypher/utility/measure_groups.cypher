// The mean Q of memories by one of their properties, the largest groups first.
//
// params:  scopes LIST<STRING>, grouping STRING (agent_id, channel_id, phase, stratum or kind),
//          limit INTEGER (> 0)
// returns: name STRING ('' without one), memories INTEGER, learned INTEGER, mean FLOAT,
//          deviation FLOAT, least FLOAT, most FLOAT
// mode:    read
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.state <> 'hidden'
WITH coalesce(m[$grouping], '') AS name, m
RETURN name, count(m) AS memories, count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       avg(m.q_value) AS mean, stDevP(m.q_value) AS deviation,
       min(m.q_value) AS least, max(m.q_value) AS most
ORDER BY memories DESC, name
LIMIT $limit
