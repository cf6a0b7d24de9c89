// Store the API keys of this service by hash, each with its tenant.
//
// params:  rows LIST<MAP> {hash STRING, tenant STRING}, now ZONED DATETIME
// returns: saved INTEGER
// mode:    write
UNWIND $rows AS row
MERGE (t:Tenant {tenant: row.tenant})
MERGE (k:ApiKey {hash: row.hash})
ON CREATE SET k.created_at = $now
SET k.tenant = row.tenant
RETURN count(*) AS saved
