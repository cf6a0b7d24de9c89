// What a tenant has set while the service runs.
//
// params:  tenant STRING
// returns: version INTEGER, overrides STRING (JSON) or NULL, changed_at ZONED DATETIME or NULL
// mode:    read
MATCH (c:UtilityConfig {tenant: $tenant})
RETURN c.version AS version, c.overrides AS overrides, c.changed_at AS changed_at
