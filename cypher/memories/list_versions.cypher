// Read the versions of a memory, newest first, from a position on, inclusive.
//
// params:  scopes LIST<STRING>, uid STRING, start_at ZONED DATETIME, start_uid STRING,
//          limit INTEGER
// returns: version MAP of properties
// mode:    read
MATCH (m:Memory {uid: $uid})
WHERE m.scope IN $scopes AND m.state <> 'hidden'
MATCH (v:Version)-[:VERSION_OF]->(m)
WHERE v.replaced_at < $start_at OR (v.replaced_at = $start_at AND v.uid <= $start_uid)
RETURN v {.*} AS version
ORDER BY v.replaced_at DESC, v.uid DESC
LIMIT $limit
