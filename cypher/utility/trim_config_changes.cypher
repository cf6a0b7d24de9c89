// Remove a tenant's oldest changes of configuration beyond a maximum.
//
// params:  tenant STRING, kept INTEGER
// returns: removed INTEGER
// mode:    write
MATCH (n:ConfigChange)
WHERE n.tenant = $tenant AND n.changed_at IS NOT NULL
WITH n ORDER BY n.changed_at DESC, n.uid DESC SKIP $kept
DELETE n
RETURN count(*) AS removed
