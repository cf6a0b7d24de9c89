// The concept of a scope that gained most active attempts since its last check.
//
// params:  scope STRING, slack INTEGER (>= 0), concept STRING or NULL (the one that is meant, whatever it gained)
// returns: uid STRING, name STRING
// mode:    read
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > '' AND ($concept IS NULL OR c.uid = $concept) AND c.state = 'active'
  AND ($concept IS NOT NULL OR coalesce(c.archives, true))
WITH c, COUNT { (c)<-[:USED]-(e:Episode) WHERE e.state = 'active' } - coalesce(c.exemplars, 0) AS gained
WHERE $concept IS NOT NULL OR gained >= $slack
RETURN c.uid AS uid, coalesce(c.external_id, c.uid) AS name
ORDER BY gained DESC, uid
LIMIT 1
