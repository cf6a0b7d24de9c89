// Those of some planned clusters whose memories, locked by now, are as they were planned with, and shared with nobody since.
//
// params:  uids LIST<STRING>
// returns: uid STRING
// mode:    read
UNWIND $uids AS uid
MATCH (c:Cluster {uid: uid, state: 'planned'})
UNWIND range(0, size(c.sources) - 1) AS place
OPTIONAL MATCH (m:Memory {uid: c.sources[place]})
WHERE m.state = 'active' AND m.stratum = c.from_stratum AND coalesce(m.revision, 1) = c.revisions[place]
  AND NOT EXISTS { (m)-[:SHARED_WITH|PUBLISHED_FROM]->() }
WITH c, count(m) AS held
WHERE held = size(c.sources)
RETURN c.uid AS uid
