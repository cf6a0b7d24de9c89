// Executions to be erased in scopes of others: those of an agent, about a user, or of a session.
//
// params:  tenant STRING, name STRING (of the agent or user), scope STRING, session_id STRING, limit INTEGER
// returns: scope STRING, task_id STRING, goal STRING, context STRING, steps STRING (JSON)
// mode:    read
// choices: agent user session
MATCH (n:Execution)
//= agent
WHERE n.tenant = $tenant AND n.agent_id = $name
//= user
//| WHERE n.tenant = $tenant AND n.user_id = $name
//= session
//| WHERE n.scope = $scope AND n.session_id = $session_id
//=
RETURN n.scope AS scope, n.task_id AS task_id, n.goal AS goal, n.context AS context, n.steps AS steps
ORDER BY scope, task_id
LIMIT $limit
