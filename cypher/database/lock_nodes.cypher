// Lock nodes in the given order, by a write that reads nothing; they are read after.
//
// params:  scopes LIST<STRING> (sorted), tenant STRING, beginning ZONED DATETIME (when no job has run yet), name STRING,
//          uid STRING, rows LIST<MAP> {scope STRING, tenant STRING; sessions: session_id STRING; terms: name STRING, display
//          STRING; momenta: context STRING} (sorted), scope STRING, task_id STRING, expires_at ZONED DATETIME,
//          now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
// choices: scopes bases (what scopes have learned) new_bases (one that is not there is made) plugins (of surprise, of
//          agents) new_plugins (one that is not there is made, for who attaches it) tenant events (the clock of a
//          tenant's events) config (of a tenant) lease cycle patch task new_task (one that is not there is made) sessions terms momenta (what is usual in scopes and
//          contexts; one that no event moves then holds nothing, and is forgotten a day later)
//= scopes bases new_bases plugins new_plugins
UNWIND $scopes AS scope
//= sessions terms momenta
//| UNWIND $rows AS row
//= scopes
MATCH (n:Scope {scope: scope})
//= bases
//| MATCH (n:KnowledgeBase {scope: scope})
//= new_bases
//| MERGE (n:KnowledgeBase {scope: scope})
//| ON CREATE SET n.tenant = $tenant, n.executions = 0, n.steps = 0, n.reused = 0, n.failed_steps = 0,
//|   n.patterns_at = $beginning, n.tools_at = $beginning, n.insights_at = $beginning
//= plugins
//| MATCH (n:SurprisePlugin {scope: scope})
//= new_plugins
//| MERGE (n:SurprisePlugin {scope: scope})
//= tenant
//| MERGE (n:Tenant {tenant: $tenant})
//= events
//| MERGE (n:EventClock {tenant: $tenant})
//= config
//| MERGE (n:UtilityConfig {tenant: $tenant})
//| ON CREATE SET n.version = 0
//= lease
//| MERGE (n:Lease {name: $name})
//= cycle
//| MATCH (n:Cycle {uid: $uid})
//= patch
//| MATCH (n:Patch {uid: $uid})
//= task
//| MATCH (n:Task {scope: $scope, task_id: $task_id})
//= new_task
//| MERGE (n:Task {scope: $scope, task_id: $task_id})
//| ON CREATE SET n.tenant = $tenant, n.created_at = $now, n.expires_at = $expires_at
//= sessions
//| MERGE (n:Session {scope: row.scope, session_id: row.session_id})
//| ON CREATE SET n.tenant = row.tenant, n.started_at = $now
//= terms
//| MERGE (n:Term {scope: row.scope, name: row.name})
//| ON CREATE SET n.tenant = row.tenant, n.display = row.display, n.document_frequency = 0
//= momenta
//| MERGE (n:Momentum {scope: row.scope, context: row.context})
//| ON CREATE SET n.tenant = row.tenant
//| SET n.expires_at = coalesce(n.expires_at, datetime.realtime() + duration({days: 1}))
//= task new_task
//| SET n.reported_at = $now
//= sessions terms
//| SET n.changed_at = $now
//= scopes bases new_bases plugins new_plugins tenant events config lease cycle patch momenta
SET n.asked_at = datetime.realtime()
//=
RETURN count(*) AS locked
