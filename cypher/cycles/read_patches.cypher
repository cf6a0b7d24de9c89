// Patches of some scopes, the newest first, with the evidence that the reader sees.
//
// params:  scopes LIST<STRING>, readable LIST<STRING>, uid STRING, cycle STRING (uid; empty: any),
//          states LIST<STRING> (empty: any), before STRING (a uid), limit INTEGER
// returns: patch MAP of properties, evidence LIST<LIST>
// mode:    read
// choices: scope one
//= scope
UNWIND $scopes AS scope
CALL (scope) {
  MATCH (p:Patch)
    USING INDEX p:Patch(scope, made_at, uid)
  WHERE p.scope = scope AND p.made_at IS NOT NULL AND p.uid < $before
    AND ($cycle = '' OR p.cycle_uid = $cycle) AND (size($states) = 0 OR p.state IN $states)
  RETURN p
  ORDER BY p.made_at DESC, p.uid DESC
  LIMIT $limit
}
//= one
//| MATCH (p:Patch {uid: $uid})
//| WHERE p.scope IN $scopes
//=
RETURN p {.*} AS patch, COLLECT {
  MATCH (p)-[r:RESTS_ON]->(m:Memory|ToolError)
  WHERE m.scope IN $readable AND coalesce(m.state, '') <> 'hidden'
  WITH coalesce(m.uid, m.key) AS name, m, r ORDER BY r.weight DESC, name
  RETURN [name, r.kind, r.weight, left(coalesce(r.text, m.text), 500)]
} AS evidence
//= scope
ORDER BY p.uid DESC
LIMIT $limit
//=
