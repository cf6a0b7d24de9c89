// A page by uid of what one agent has published in a channel.
//
// params:  channel STRING (scope), agent STRING (name), after STRING, limit INTEGER
// returns: uid STRING
// mode:    read
MATCH (copy:Memory {scope: $channel, published_by: $agent})
WHERE copy.uid > $after
RETURN copy.uid AS uid
ORDER BY uid
LIMIT $limit
