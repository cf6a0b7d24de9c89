// The secret of a tenant that this transaction has locked; the given one, if it has none.
//
// params:  tenant STRING, secret STRING
// returns: secret STRING
// mode:    write
MATCH (t:Tenant {tenant: $tenant})
SET t.pii_secret = coalesce(t.pii_secret, $secret)
RETURN t.pii_secret AS secret
