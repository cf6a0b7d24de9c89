// Surprise plugins of some agents, with what they have learned.
//
// params:  scopes LIST<STRING>
// returns: plugin MAP of properties
// mode:    read
MATCH (p:SurprisePlugin)
WHERE p.scope IN $scopes AND p.attached_at IS NOT NULL
RETURN p {.*} AS plugin
ORDER BY p.scope
