// Shared patterns that too few members hold as they are said, of those that rest on the memories given.
//
// params:  originals LIST<STRING> (uids), gone LIST<STRING> (uids that hold nothing any more)
// returns: uid STRING, scope STRING
// mode:    read
UNWIND $originals AS original
MATCH (p:Memory)-[:PUBLISHED_FROM]->(:Memory {uid: original})
WHERE p.agents_needed IS NOT NULL
WITH DISTINCT p
WHERE COUNT {
  MATCH (p)-[:PUBLISHED_FROM]->(m:Memory)
  WHERE NOT m.uid IN $gone AND m.state = 'active' AND m.text = p.text
  RETURN DISTINCT m.scope
} < p.agents_needed
RETURN p.uid AS uid, p.scope AS scope
ORDER BY uid
