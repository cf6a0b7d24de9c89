// Tools of some scopes with what is counted of each, most used first.
//
// params:  scopes LIST<STRING>, limit INTEGER
// returns: tool MAP of properties
// mode:    read
MATCH (n:Tool)
WHERE n.scope IN $scopes AND n.key IS NOT NULL
WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
RETURN n {.*} AS tool
ORDER BY tool.uses DESC, tool.scope, tool.key
