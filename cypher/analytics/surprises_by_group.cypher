// Surprise: events and how surprising they were, by agent, channel or type
//
// params:  scope STRING (such as agent/planner; '' is every scope), group STRING (agent_id, channel_id or type),
//          days INTEGER (back from now), limit INTEGER (> 0, rows at most)
// returns: name STRING ('' without one), events INTEGER, surprising INTEGER, mean FLOAT (score), most FLOAT,
//          remembered INTEGER
// mode:    read
//
// :params {scope: '', group: 'agent_id', days: 30, limit: 100}
MATCH (s:Surprise)
WHERE s.at >= datetime() - duration({days: toInteger($days)}) AND s.scope ENDS WITH $scope
RETURN coalesce(s[$group], '') AS name, count(*) AS events, count(CASE WHEN s.surprising THEN 1 END) AS surprising,
       round(avg(s.score), 4) AS mean, round(max(s.score), 4) AS most, count(s.memory_uid) AS remembered
ORDER BY surprising DESC, events DESC, name
LIMIT toInteger($limit)
