// The versions of scopes, and the slot that is read.
//
// params:  scopes LIST<STRING>
// returns: slot STRING, versions LIST of [scope, version or NULL, counted or NULL], of those
//          that are there
// mode:    read
MATCH (schema:Schema {name: 'schema'})
OPTIONAL MATCH (s:Scope)
WHERE s.scope IN $scopes
RETURN schema.slot AS slot,
       [triple IN collect([s.scope, s.version, s.counted]) WHERE triple[0] IS NOT NULL] AS versions
