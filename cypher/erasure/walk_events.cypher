// Remove, of a page of a tenant's events, those of an owner or an agent and those that name a marked memory.
//
// params:  tenant STRING, after INTEGER, limit INTEGER, owner STRING, agent STRING (empty: none), run STRING
// returns: last INTEGER or NULL (the number that the page ends at), removed INTEGER
// mode:    write
MATCH (e:Event)
WHERE e.tenant = $tenant AND e.seq > $after
WITH e ORDER BY e.seq LIMIT $limit
CALL (e) {
  UNWIND split(coalesce(e.data, ''), '"') AS word
  WITH word WHERE size(word) = 26
  MATCH (m:Memory {uid: word})
  WHERE m.erased_by = $run
  RETURN count(*) AS named
}
WITH e, e.seq AS seq, named > 0 OR e.scope = $owner OR ($agent <> '' AND e.agent_id = $agent) AS goes
FOREACH (_ IN CASE WHEN goes THEN [1] ELSE [] END | DETACH DELETE e)
RETURN max(seq) AS last, count(CASE WHEN goes THEN 1 END) AS removed
