// Lock a tenant's configuration, by a write that reads nothing: what it says is read after.
//
// params:  tenant STRING
// returns: locked INTEGER
// mode:    write
MERGE (c:UtilityConfig {tenant: $tenant})
ON CREATE SET c.version = 0
SET c.asked_at = datetime.realtime()
RETURN count(*) AS locked
