// Patterns of one scope, most used first; or those of some names in some scopes.
//
// params:  scopes LIST<STRING>, pattern_type STRING, keys LIST<STRING>, limit INTEGER
// returns: pattern MAP of properties
// mode:    read
// choices: type key
MATCH (n:MemoryPattern)
//= type
WHERE n.scope IN $scopes AND n.pattern_type = $pattern_type AND n.uses >= 0
//= key
//| WHERE n.scope IN $scopes AND n.key IN $keys
//=
RETURN n {.*} AS pattern
ORDER BY pattern.uses DESC, pattern.scope, pattern.key
LIMIT $limit
