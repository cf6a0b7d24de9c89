// Repair impossible values of knowledge, or remove parts without a tool, in scopes whose base is locked.
//
// params:  rows LIST<MAP> {scope STRING, key STRING}
// returns: mended INTEGER
// mode:    write
// choices: tools contexts errors parameters patterns insights part_contexts part_errors part_parameters
UNWIND $rows AS row
//= tools
MATCH (n:Tool {scope: row.scope, key: row.key})
//= contexts part_contexts
//| MATCH (n:ToolContext {scope: row.scope, key: row.key})
//= errors part_errors
//| MATCH (n:ToolError {scope: row.scope, key: row.key})
//= parameters part_parameters
//| MATCH (n:ToolParameter {scope: row.scope, key: row.key})
//= patterns
//| MATCH (n:MemoryPattern {scope: row.scope, key: row.key})
//= insights
//| MATCH (n:LearnedInsight {scope: row.scope, key: row.key})
//= tools
WITH n, reduce(total = 0, part IN [(n)-[:USED_IN]->(c:ToolContext) | c.uses] | total + part) AS parts
WITH n, CASE WHEN n.uses < parts THEN parts ELSE n.uses END AS uses
//= contexts errors parameters patterns
//| WITH n, n.uses AS uses
//= tools contexts errors parameters patterns
WITH n, CASE WHEN uses < 0 THEN 0 ELSE uses END AS uses
WITH n, uses, CASE WHEN n.successes < 0 THEN 0 WHEN n.successes > uses THEN uses ELSE n.successes END AS successes
WITH n, uses, successes, CASE WHEN uses > 0 THEN toFloat(successes) / uses ELSE 0.0 END AS rate
SET n.uses = uses, n.successes = successes, n.success_rate = rate,
  n.timed = CASE WHEN n.timed > uses THEN uses ELSE n.timed END,
  n.confidence = CASE WHEN 0 <= n.confidence <= rate THEN n.confidence WHEN n.confidence > rate THEN rate ELSE 0.0 END
//= insights
//| SET n.confidence = CASE WHEN n.confidence > 1 THEN 1.0 WHEN n.confidence >= 0 THEN n.confidence ELSE 0.0 END,
//|   n.confirmed = CASE WHEN n.confirmed < 0 THEN 0 ELSE n.confirmed END,
//|   n.contradicted = CASE WHEN n.contradicted < 0 THEN 0 ELSE n.contradicted END
//= part_contexts part_errors part_parameters
//| WITH n WHERE NOT EXISTS { (n)<-[:USED_IN|FAILED_WITH|TAKES]-(:Tool) }
//| DETACH DELETE n
//=
RETURN count(*) AS mended
