// Knowledge of scopes of one kind. It is ordered before its properties are read: a scope may have a hundred thousand.
//
// params:  scopes LIST<STRING>, pattern_type STRING, keys LIST<STRING>, lengths LIST<INTEGER> (in words), since ZONED
//          DATETIME, limit INTEGER
// returns: found MAP of properties; errors: calls INTEGER (of its tool)
// mode:    read
// choices: patterns (of one type, most used first) latest_patterns (of one type) named_patterns general_patterns (over
//          several queries) tools (most used first) errors (of tools, most seen first) insights executions (the latest, with
//          their steps)
//= patterns latest_patterns named_patterns general_patterns
MATCH (n:MemoryPattern)
//= tools
//| MATCH (n:Tool)
//= errors
//| MATCH (n:ToolError)
//= insights
//| MATCH (n:LearnedInsight)
//= executions
//| MATCH (n:Execution)
//=
WHERE n.scope IN $scopes
//= patterns latest_patterns
  AND n.pattern_type = $pattern_type AND n.uses >= 0
//= named_patterns
//|   AND n.key IN $keys
//= general_patterns
//|   AND n.general = true AND n.length IN $lengths
//= tools
//|   AND n.key IS NOT NULL
//= errors
//|   AND n.tool IS NOT NULL
//= insights
//|   AND n.confidence >= 0
//= executions
//|   AND n.occurred_at >= $since
//= patterns named_patterns general_patterns tools errors
WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
//= latest_patterns
//| WITH n ORDER BY n.last_used DESC, n.scope, n.key LIMIT $limit
//= insights
//| WITH n ORDER BY n.scope, n.key LIMIT $limit
//= executions
//| WITH n ORDER BY n.occurred_at DESC, n.task_id LIMIT $limit
//= errors
//| MATCH (t:Tool {scope: n.scope, key: n.tool})
//| RETURN n {.*} AS found, t.uses AS calls
//= patterns latest_patterns named_patterns general_patterns tools insights executions
RETURN n {.*} AS found
//= patterns named_patterns general_patterns tools errors
ORDER BY found.uses DESC, found.scope, found.key
//= latest_patterns
//| ORDER BY found.last_used DESC, found.scope, found.key
//= insights
//| ORDER BY found.scope, found.key
//= executions
//| ORDER BY found.occurred_at DESC, found.task_id
//=
