// Read knowledge of tools in some scopes: counts, contexts, errors and parameters, most used first.
//
// params:  scopes LIST<STRING>, tools LIST<STRING> (names), limit INTEGER (of contexts, errors and parameters each)
// returns: tools LIST<MAP>, contexts LIST<MAP>, errors LIST<MAP>, parameters LIST<MAP> (properties)
// mode:    read
CALL () {
  MATCH (n:Tool) WHERE n.scope IN $scopes AND n.key IN $tools
  RETURN collect(n {.*}) AS found
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope IN $scopes AND n.tool IN $tools
  WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
  RETURN collect(n {.*}) AS contexts
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope IN $scopes AND n.tool IN $tools
  WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
  RETURN collect(n {.*}) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope IN $scopes AND n.tool IN $tools
  WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
  RETURN collect(n {.*}) AS parameters
}
RETURN found AS tools, contexts, errors, parameters
