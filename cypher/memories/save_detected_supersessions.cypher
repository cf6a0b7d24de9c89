// Join locked memories to what the background found that they replace, unless one changed since it was
// looked at, or somebody has stated how the two stand to each other. In a channel, what one agent says ends nothing that
// another said: the two disagree, and the later one comes first.
//
// params:  pairs LIST<MAP> {newer STRING, older STRING, confidence FLOAT, evidence STRING, decisive BOOLEAN,
//          revisions LIST<INTEGER> (of the newer and the older when they were compared)} (sorted),
//          now ZONED DATETIME, open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: saved LIST of [newer, older], those that are new
// mode:    write
UNWIND $pairs AS pair
MATCH (newer:Memory {uid: pair.newer})
MATCH (older:Memory {uid: pair.older})
WHERE newer.scope = older.scope AND newer.state = 'active' AND older.state = 'active'
  AND [coalesce(newer.revision, 1), coalesce(older.revision, 1)] = pair.revisions
  AND NOT EXISTS { (newer)-[:DISTINCT_FROM]-(older) } AND NOT EXISTS { (older)-[:SUPERSEDES {ends: true}]->(newer) }
MERGE (newer)-[r:SUPERSEDES]->(older)
WITH newer, older, pair, r, r.found_by AS known
FOREACH (_ IN CASE WHEN known = 'stated' THEN [] ELSE [1] END |
  SET r.confidence = pair.confidence, r.evidence = pair.evidence, r.found_by = 'detected',
      r.found_at = coalesce(r.found_at, $now), r.ends = coalesce(r.ends, false),
      r.decisive = pair.decisive AND (newer.agent_id = older.agent_id OR NOT newer.scope STARTS WITH newer.tenant + '/channel/'),
      r.since = CASE WHEN newer.valid_from > $open THEN newer.valid_from ELSE newer.occurred_at END)
RETURN [row IN collect([newer.uid, older.uid, known]) WHERE row[2] IS NULL | row[..2]] AS saved
