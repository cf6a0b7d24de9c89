// Lock what scopes have learned, by a write that reads nothing; one that is not there is made.
//
// params:  scopes LIST<STRING> (sorted), tenant STRING, beginning ZONED DATETIME (when no job has run yet)
// returns: locked INTEGER
// mode:    write
// choices: new known (one that is not there is left out)
UNWIND $scopes AS scope
//= new
MERGE (k:KnowledgeBase {scope: scope})
ON CREATE SET k.tenant = $tenant, k.executions = 0, k.steps = 0, k.reused = 0, k.failed_steps = 0,
  k.patterns_at = $beginning, k.tools_at = $beginning, k.insights_at = $beginning
//= known
//| MATCH (k:KnowledgeBase {scope: scope})
//=
SET k.asked_at = datetime.realtime()
RETURN count(*) AS locked
