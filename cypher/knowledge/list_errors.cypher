// Errors of a scope's tools, with how often each tool was called.
//
// params:  scope STRING, limit INTEGER
// returns: error MAP of properties, calls INTEGER
// mode:    read
MATCH (n:ToolError)
WHERE n.scope = $scope AND n.tool IS NOT NULL
MATCH (t:Tool {scope: $scope, key: n.tool})
RETURN n {.*} AS error, t.uses AS calls
ORDER BY error.uses DESC, error.key
LIMIT $limit
