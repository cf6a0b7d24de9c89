// Patterns of one type in one scope, most used first, or latest first; or those of some names in some scopes; or those over
// several queries. They are put in order before their properties are read: a scope may have a hundred thousand.
//
// params:  scopes LIST<STRING>, pattern_type STRING, keys LIST<STRING>, lengths LIST<INTEGER> (in words), limit INTEGER
// returns: pattern MAP of properties
// mode:    read
// choices: type latest key general
MATCH (n:MemoryPattern)
//= type latest
WHERE n.scope IN $scopes AND n.pattern_type = $pattern_type AND n.uses >= 0
//= key
//| WHERE n.scope IN $scopes AND n.key IN $keys
//= general
//| WHERE n.scope IN $scopes AND n.general = true AND n.length IN $lengths
//= type key general
WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
RETURN n {.*} AS pattern
ORDER BY pattern.uses DESC, pattern.scope, pattern.key
//= latest
//| WITH n ORDER BY n.last_used DESC, n.scope, n.key LIMIT $limit
//| RETURN n {.*} AS pattern
//| ORDER BY pattern.last_used DESC, pattern.scope, pattern.key
//=
