// Surprises of some scopes, the newest first.
//
// params:  scopes LIST<STRING>, since ZONED DATETIME, before STRING (uid that is not reached), types LIST<STRING> (empty:
//          any; what did not surprise has none), contexts LIST<STRING> (empty: any), surprising BOOLEAN (only above their threshold), limit INTEGER
// returns: surprise MAP of properties
// mode:    read
MATCH (s:Surprise)
WHERE s.scope IN $scopes AND s.at >= $since
WITH s
WHERE s.uid < $before AND (size($types) = 0 OR (s.surprising AND s.type IN $types))
  AND (size($contexts) = 0 OR s.context IN $contexts) AND (s.surprising OR NOT $surprising)
RETURN s {.*} AS surprise
ORDER BY s.uid DESC
LIMIT $limit
