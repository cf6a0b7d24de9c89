// Remove knowledge that was not used for long, up to a number of each: executions, counts, patterns, past preferences.
//
// params:  now ZONED DATETIME, before ZONED DATETIME (use), limit INTEGER
// returns: expired INTEGER
// mode:    write
CALL () {
  MATCH (n:Execution) WHERE n.expires_at <= $now
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS executions
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.last_used <= $before
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS patterns
}
CALL () {
  MATCH (n:ToolContext) WHERE n.last_used <= $before
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS contexts
}
CALL () {
  MATCH (n:ToolError) WHERE n.last_used <= $before
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS errors
}
CALL () {
  MATCH (n:ToolParameter) WHERE n.last_used <= $before
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS parameters
}
CALL () {
  MATCH (n:Tool) WHERE n.last_used <= $before
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS tools
}
CALL () {
  MATCH (n:UserPreference) WHERE n.expires_at <= $now
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS preferences
}
RETURN executions + patterns + contexts + errors + parameters + tools + preferences AS expired
