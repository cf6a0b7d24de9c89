// A cycle of some scopes, by its name, else by its uid.
//
// params:  scopes LIST<STRING>, name STRING
// returns: cycle MAP of properties
// mode:    read
CALL () {
  UNWIND $scopes AS scope
  MATCH (c:Cycle {scope: scope, cycle_id: $name})
  RETURN c, 0 AS order
  UNION
  MATCH (c:Cycle {uid: $name})
  WHERE c.scope IN $scopes
  RETURN c, 1 AS order
}
RETURN c {.*} AS cycle
ORDER BY order, c.scope
LIMIT 1
