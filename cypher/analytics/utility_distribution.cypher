// Utility: how Q is distributed
//
// params:  scope STRING (such as agent/planner; '' is every scope)
// returns: memories INTEGER, learned INTEGER, mean FLOAT, deviation FLOAT, least FLOAT, p10 FLOAT,
//          p25 FLOAT, median FLOAT, p75 FLOAT, p90 FLOAT, most FLOAT
// mode:    read
//
// :params {scope: ''}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.q_value >= 0
RETURN count(m) AS memories, count(CASE WHEN m.q_count > 0 THEN 1 END) AS learned,
       round(avg(m.q_value), 4) AS mean, round(stDevP(m.q_value), 4) AS deviation,
       round(min(m.q_value), 4) AS least, round(percentileCont(m.q_value, 0.1), 4) AS p10,
       round(percentileCont(m.q_value, 0.25), 4) AS p25,
       round(percentileCont(m.q_value, 0.5), 4) AS median,
       round(percentileCont(m.q_value, 0.75), 4) AS p75,
       round(percentileCont(m.q_value, 0.9), 4) AS p90, round(max(m.q_value), 4) AS most
