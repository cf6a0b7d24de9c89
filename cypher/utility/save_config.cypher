// Set a tenant's configuration, with the record and the event of the change.
//
// params:  tenant STRING, overrides STRING (JSON), version INTEGER, now ZONED DATETIME, changes LIST<MAP>, events LIST<MAP>
// returns: version INTEGER
// mode:    write
MATCH (c:UtilityConfig {tenant: $tenant})
SET c.overrides = $overrides, c.version = $version, c.changed_at = $now
WITH c
CALL () { UNWIND $changes AS row CREATE (n:ConfigChange) SET n = row }
CALL () { UNWIND $events AS row CREATE (e:Event) SET e = row }
RETURN c.version AS version
