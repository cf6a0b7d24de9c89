// Utility: mean Q by who wrote the memory, channel, kind, phase or stratum
//
// params:  scope STRING (such as agent/planner; '' is every scope), group STRING (agent_id, channel_id, kind, phase or
//          stratum), limit INTEGER (> 0, rows at most)
// returns: name STRING ('' without one), memories INTEGER, learned INTEGER, mean FLOAT, deviation FLOAT, least FLOAT,
//          most FLOAT, rewards INTEGER
// mode:    read
//
// :params {scope: '', group: 'agent_id', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_value >= 0
RETURN coalesce(m[$group], '') AS name, count(m) AS memories,
       count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       round(avg(m.q_value), 4) AS mean, round(stDevP(m.q_value), 4) AS deviation,
       round(min(m.q_value), 4) AS least, round(max(m.q_value), 4) AS most,
       sum(coalesce(m.q_count, 0)) AS rewards
ORDER BY memories DESC, name
LIMIT toInteger($limit)
