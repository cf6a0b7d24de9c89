// Read the run-time settings of a tenant.
//
// params:  tenant STRING
// returns: tenant STRING, version INTEGER, overrides STRING (JSON) or NULL, changed_at ZONED DATETIME or NULL
// mode:    read
// choices: one all (of every tenant)
//= one
MATCH (c:UtilityConfig {tenant: $tenant})
//= all
//| MATCH (c:UtilityConfig)
//| WHERE c.tenant > ''
//=
RETURN c.tenant AS tenant, c.version AS version, c.overrides AS overrides, c.changed_at AS changed_at
ORDER BY tenant
