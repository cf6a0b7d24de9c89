// Some events of an owner's scope, and those caused by an agent in others.
//
// params:  tenant STRING, owner STRING, agent STRING (empty: none), limit INTEGER (of each)
// returns: uid STRING, waiting BOOLEAN (for its number)
// mode:    read
CALL () {
  MATCH (e:Event)
    USING INDEX e:Event(scope)
  WHERE e.scope = $owner
  RETURN e
  LIMIT $limit
UNION
  MATCH (e:Event)
    USING INDEX e:Event(agent_id)
  WHERE e.agent_id = $agent AND $agent <> '' AND e.tenant = $tenant
  RETURN e
  LIMIT $limit
}
RETURN e.uid AS uid, e.waiting IS NOT NULL AS waiting
ORDER BY uid
