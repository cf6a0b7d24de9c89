// Join locked memories to what they may replace, unless one changed since it was looked at, or it is known how the two
// stand to each other.
//
// params:  pairs LIST<MAP> {newer STRING, older STRING, confidence FLOAT,
//          revisions LIST<INTEGER> (of the newer and the older when they were compared)} (sorted),
//          now ZONED DATETIME
// returns: saved INTEGER
// mode:    write
UNWIND $pairs AS pair
MATCH (newer:Memory {uid: pair.newer})
MATCH (older:Memory {uid: pair.older})
WHERE newer.scope = older.scope AND newer.state = 'active' AND older.state = 'active'
  AND [coalesce(newer.revision, 1), coalesce(older.revision, 1)] = pair.revisions
  AND NOT EXISTS { (newer)-[:DISTINCT_FROM|SUPERSEDES]-(older) }
MERGE (newer)-[r:MAY_SUPERSEDE]->(older)
SET r.confidence = pair.confidence, r.found_by = 'detected', r.found_at = coalesce(r.found_at, $now)
RETURN count(r) AS saved
