// Read counts of a scope for sharing, or those that an imported file may change: named nodes, general patterns, errors
// of its tools, and nodes with shared counts. All parameters are read for sharing, as texts are searched for their
// values.
//
// params:  scope STRING, least INTEGER (uses), asked MAP {tools LIST<STRING>, contexts LIST<STRING>, errors LIST<STRING>, parameters LIST<STRING>,
//          patterns LIST<STRING> (keys)}, limit INTEGER (of each: named ones, then most used, first)
// returns: state MAP (without the model), tools LIST<MAP>, contexts LIST<MAP>, errors LIST<MAP>, parameters LIST<MAP>,
//          patterns LIST<MAP> (properties)
// mode:    read
// choices: counted met
MATCH (k:KnowledgeBase {scope: $scope})
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IS NOT NULL
//= counted
    AND n.uses >= $least
//= met
//|     AND (n.shared IS NOT NULL OR n.key IN $asked.tools)
//= counted
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
//= met
//|   WITH n ORDER BY n.key IN $asked.tools DESC, n.shared IS NOT NULL DESC, n.uses DESC, n.key LIMIT $limit
//=
  RETURN collect(n {.*}) AS tools
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.key IS NOT NULL
//= counted
    AND n.uses >= $least
//= met
//|     AND (n.shared IS NOT NULL OR n.key IN $asked.contexts)
//= counted
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
//= met
//|   WITH n ORDER BY n.key IN $asked.contexts DESC, n.shared IS NOT NULL DESC, n.uses DESC, n.key LIMIT $limit
//=
  RETURN collect(n {.*}) AS contexts
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope = $scope AND n.key IS NOT NULL
//= counted
    AND n.uses >= $least
//= met
//|     AND (n.shared IS NOT NULL OR n.key IN $asked.errors OR n.tool IN $asked.tools)
//= counted
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
//= met
//|   WITH n ORDER BY n.key IN $asked.errors DESC, n.shared IS NOT NULL DESC, n.uses DESC, n.key LIMIT $limit
//=
  RETURN collect(n {.*}) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.key IS NOT NULL
//= met
//|     AND (n.shared IS NOT NULL OR n.key IN $asked.parameters)
//= counted
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
//= met
//|   WITH n ORDER BY n.key IN $asked.parameters DESC, n.shared IS NOT NULL DESC, n.uses DESC, n.key LIMIT $limit
//=
  RETURN collect(n {.*}) AS parameters
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.key IS NOT NULL
//= counted
    AND n.uses >= $least
//= met
//|     AND (n.shared IS NOT NULL OR n.general = true OR n.pattern_type = 'error_pattern' OR n.key IN $asked.patterns)
//= counted
  WITH n ORDER BY n.uses DESC, n.key LIMIT $limit
//= met
//|   WITH n ORDER BY n.key IN $asked.patterns DESC, n.shared IS NOT NULL DESC, n.uses DESC, n.key LIMIT $limit
//=
  RETURN collect(n {.*}) AS patterns
}
RETURN k {.*, model: null} AS state, tools, contexts, errors, parameters, patterns
