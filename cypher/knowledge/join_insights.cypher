// Link insights of a locked scope to their patterns and errors.
//
// params:  scope STRING, patterns LIST<MAP> {insight STRING, source STRING}, errors LIST<MAP> {insight STRING, source STRING} (keys)
// returns: joined INTEGER
// mode:    write
CALL () {
  UNWIND $patterns AS row
  MATCH (i:LearnedInsight {scope: $scope, key: row.insight})
  MATCH (p:MemoryPattern {scope: $scope, key: row.source})
  MERGE (i)-[:LEARNED_FROM]->(p)
  RETURN count(*) AS patterns
}
CALL () {
  UNWIND $errors AS row
  MATCH (i:LearnedInsight {scope: $scope, key: row.insight})
  MATCH (e:ToolError {scope: $scope, key: row.source})
  MERGE (i)-[:LEARNED_FROM]->(e)
  RETURN count(*) AS errors
}
RETURN patterns + errors AS joined
