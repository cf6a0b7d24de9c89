// Tenants with unnumbered events.
//
// params:
// returns: tenant STRING
// mode:    read
MATCH (e:Event)
WHERE e.waiting > '' AND e.uid > ''
RETURN DISTINCT e.waiting AS tenant
ORDER BY tenant
