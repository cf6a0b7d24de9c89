// Note that the patterns of a channel's members were looked at.
//
// params:  channel STRING (scope), now ZONED DATETIME
// returns: noted INTEGER
// mode:    write
MATCH (c:Scope {scope: $channel})
SET c.patterns_at = $now
RETURN count(*) AS noted
