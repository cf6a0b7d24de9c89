// Lock a tenant or what it has once, by a write that reads nothing: what it keeps is read after.
//
// params:  tenant STRING
// returns: locked INTEGER
// mode:    write
// choices: tenant events (the clock of its events) config (its configuration)
//= tenant
MERGE (n:Tenant {tenant: $tenant})
//= events
//| MERGE (n:EventClock {tenant: $tenant})
//= config
//| MERGE (n:UtilityConfig {tenant: $tenant})
//| ON CREATE SET n.version = 0
//=
SET n.asked_at = datetime.realtime()
RETURN count(*) AS locked
