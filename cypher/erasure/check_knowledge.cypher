// A page of knowledge by scope and key: impossible counts, parts without a tool, and scopes without a base.
//
// params:  scope STRING, name STRING, limit INTEGER
// returns: last LIST<STRING> [scope, key] or NULL, seen INTEGER, counts LIST<LIST<STRING>>, parts LIST<LIST<STRING>> [label, scope, key],
//          bases LIST<STRING> (scopes)
// mode:    read
// choices: tools (whose contexts are no more than they) tool_contexts tool_errors tool_parameters learned_patterns insights
//= tools
MATCH (n:Tool)
//= tool_contexts
//| MATCH (n:ToolContext)
//= tool_errors
//| MATCH (n:ToolError)
//= tool_parameters
//| MATCH (n:ToolParameter)
//= learned_patterns
//| MATCH (n:MemoryPattern)
//= insights
//| MATCH (n:LearnedInsight)
//=
WHERE n.scope >= $scope AND n.key IS NOT NULL
WITH n
WHERE n.scope > $scope OR n.key > $name
WITH n ORDER BY n.scope, n.key LIMIT $limit
WITH collect(n) AS page
RETURN CASE WHEN size(page) > 0 THEN [page[-1].scope, page[-1].key] END AS last, size(page) AS seen,
//= tools tool_contexts tool_errors tool_parameters learned_patterns
       [n IN page WHERE n.successes < 0 OR n.successes > n.uses OR n.timed > n.uses OR NOT 0 <= n.confidence <= 1
         OR abs(n.success_rate * n.uses - n.successes) > 0.001 * (1 + n.uses)
//= tools
         OR n.uses < reduce(total = 0, part IN [(n)-[:USED_IN]->(c:ToolContext) | c.uses] | total + part)
//= tools tool_contexts tool_errors tool_parameters learned_patterns
         | [labels(n)[0], n.scope, n.key]] AS counts,
//= insights
//|        [n IN page WHERE NOT 0 <= n.confidence <= 1 OR n.confirmed < 0 OR n.contradicted < 0
//|          | [labels(n)[0], n.scope, n.key]] AS counts,
//= tools learned_patterns insights
       [] AS parts,
//= tool_contexts tool_errors tool_parameters
//|        [n IN page WHERE NOT EXISTS { (n)<-[:USED_IN|FAILED_WITH|TAKES]-(:Tool) } | [labels(n)[0], n.scope, n.key]] AS parts,
//=
       reduce(found = [], n IN [n IN page WHERE NOT EXISTS { MATCH (k:KnowledgeBase {scope: n.scope}) }]
         | CASE WHEN n.scope IN found THEN found ELSE found + n.scope END) AS bases
