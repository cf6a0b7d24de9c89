// Utility: how Q is distributed, over all or by who wrote the memory, channel, kind, phase or stratum
//
// params:  scope STRING (such as agent/planner; '' is every scope), group STRING (agent_id, channel_id, kind, phase or
//          stratum; '' is all in one row), limit INTEGER (> 0, rows at most)
// returns: name STRING ('' without one), memories INTEGER, learned INTEGER, mean FLOAT, deviation FLOAT, least FLOAT, p10
//          FLOAT, p25 FLOAT, median FLOAT, p75 FLOAT, p90 FLOAT, most FLOAT, rewards INTEGER
// mode:    read
//
// :params {scope: '', group: 'agent_id', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_value >= 0
RETURN coalesce(m[$group], '') AS name, count(m) AS memories,
       count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       round(avg(m.q_value), 4) AS mean, round(stDevP(m.q_value), 4) AS deviation,
       round(min(m.q_value), 4) AS least, round(percentileCont(m.q_value, 0.1), 4) AS p10,
       round(percentileCont(m.q_value, 0.25), 4) AS p25,
       round(percentileCont(m.q_value, 0.5), 4) AS median,
       round(percentileCont(m.q_value, 0.75), 4) AS p75,
       round(percentileCont(m.q_value, 0.9), 4) AS p90, round(max(m.q_value), 4) AS most,
       sum(coalesce(m.q_count, 0)) AS rewards
ORDER BY memories DESC, name
LIMIT toInteger($limit)
