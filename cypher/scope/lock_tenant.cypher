// Lock a tenant, by a write that reads nothing: what it keeps is read after.
//
// params:  tenant STRING
// returns: locked INTEGER
// mode:    write
MERGE (t:Tenant {tenant: $tenant})
SET t.asked_at = datetime.realtime()
RETURN count(*) AS locked
