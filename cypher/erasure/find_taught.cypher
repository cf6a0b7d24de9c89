// Find knowledge from some executions of a locked scope: patterns and insights with them as evidence, and errors,
// parameters and contexts of their tools.
//
// params:  scope STRING, task_ids LIST<STRING>, tools LIST<STRING>
// returns: patterns LIST<MAP>, insights LIST<MAP>, errors LIST<MAP>, parameters LIST<MAP> (some properties, containers as JSON),
//          tools LIST<MAP> {key STRING, uses INTEGER}, contexts LIST<MAP> {key STRING, uses INTEGER}
// mode:    read
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n WHERE any(task IN $task_ids WHERE n.evidence CONTAINS task)
  RETURN collect({key: n.key, evidence: n.evidence, pattern: n.pattern, goal: n.goal, contexts: n.contexts,
    shared: n.shared}) AS patterns
}
CALL () {
  MATCH (n:LearnedInsight) WHERE n.scope = $scope AND n.key IS NOT NULL
  WITH n WHERE any(task IN $task_ids WHERE n.evidence CONTAINS task)
  RETURN collect({key: n.key, evidence: n.evidence, origin: n.origin}) AS insights
}
CALL () {
  MATCH (n:ToolError) WHERE n.scope = $scope AND n.tool IN $tools
  RETURN collect({key: n.key, tool: n.tool, evidence: n.evidence, culprits: n.culprits, contexts: n.contexts,
    shared: n.shared}) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.scope = $scope AND n.tool IN $tools
  RETURN collect({key: n.key, tool: n.tool, parameter: n.parameter, values: n.values}) AS parameters
}
CALL () {
  MATCH (n:Tool) WHERE n.scope = $scope AND n.key IN $tools
  RETURN collect({key: n.key, uses: n.uses}) AS found
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope = $scope AND n.tool IN $tools
  RETURN collect({key: n.key, tool: n.tool, context: n.context, uses: n.uses}) AS contexts
}
RETURN patterns, insights, errors, parameters, found AS tools, contexts
