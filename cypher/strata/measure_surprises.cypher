// Events and surprises of some scopes by agent, channel or type, the most surprising first.
//
// params:  scopes LIST<STRING>, since ZONED DATETIME, grouping STRING (agent_id, channel_id or type), limit INTEGER
// returns: name STRING ('' without one), events INTEGER, surprising INTEGER, mean FLOAT (score), most FLOAT
// mode:    read
MATCH (s:Surprise)
WHERE s.scope IN $scopes AND s.at >= $since
RETURN coalesce(s[$grouping], '') AS name, count(s) AS events, count(CASE WHEN s.surprising THEN 1 END) AS surprising,
       avg(s.score) AS mean, max(s.score) AS most
ORDER BY surprising DESC, events DESC, name
LIMIT $limit
