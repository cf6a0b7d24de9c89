// Link locked memories to those they replace, or may replace.
//
// Stated replacements are final, and override opposite statements. Detected ones are ignored if one of the two changed
// meanwhile, or their relation is known. In a channel, an agent's statement does not end another agent's: the two
// disagree, and the later one ranks first.
//
// params:  pairs LIST<MAP> {newer STRING, older STRING, confidence FLOAT; detected: evidence STRING, decisive BOOLEAN,
//          starts ZONED DATETIME or NULL (from which the newer says that it holds);
//          detected and suspected: revisions LIST<INTEGER> (of the newer and the older when they were compared)} (sorted),
//          now ZONED DATETIME, open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: stated: saved LIST of [newer, older, scope], those that nobody had stated before; detected: saved LIST of [newer,
//          older], those that are new; suspected: saved INTEGER
// mode:    write
// choices: stated detected suspected
UNWIND $pairs AS pair
MATCH (newer:Memory {uid: pair.newer})
MATCH (older:Memory {uid: pair.older})
WHERE newer.scope = older.scope
//= stated
OPTIONAL MATCH (newer)-[apart:DISTINCT_FROM]-(older)
// a statement of replacement overrides that the two are distinct
DELETE apart
WITH DISTINCT newer, older, pair
//= detected suspected
//|   AND newer.state = 'active' AND older.state = 'active'
//|   AND [coalesce(newer.revision, 1), coalesce(older.revision, 1)] = pair.revisions
//= detected
//|   AND NOT EXISTS { (newer)-[:DISTINCT_FROM]-(older) } AND NOT EXISTS { (older)-[:SUPERSEDES {ends: true}]->(newer) }
//= stated detected
MERGE (newer)-[r:SUPERSEDES]->(older)
//= stated
WITH newer, older, pair, r, r.found_by = 'stated' AS known
FOREACH (_ IN CASE WHEN known THEN [] ELSE [1] END |
  SET r.confidence = pair.confidence, r.evidence = null, r.found_by = 'stated', r.found_at = $now,
      r.decisive = true, r.ends = false, r.starts = null,
//= detected
//| WITH newer, older, pair, r, r.found_by AS known
//| FOREACH (_ IN CASE WHEN known = 'stated' THEN [] ELSE [1] END |
//|   SET r.confidence = pair.confidence, r.evidence = pair.evidence, r.found_by = 'detected',
//|       r.found_at = coalesce(r.found_at, $now), r.ends = coalesce(r.ends, false),
//|       r.starts = pair.starts, r.decisive = pair.decisive AND (newer.agent_id = older.agent_id OR NOT newer.scope STARTS WITH newer.tenant + '/channel/'),
//= stated detected
      r.since = CASE WHEN newer.valid_from > $open THEN newer.valid_from ELSE coalesce(pair.starts, newer.occurred_at) END)
//= stated
RETURN [pair IN collect([newer.uid, older.uid, newer.scope, coalesce(known, false)]) WHERE NOT pair[3] | pair[..3]] AS saved
//= detected
//| RETURN [row IN collect([newer.uid, older.uid, known]) WHERE row[2] IS NULL | row[..2]] AS saved
//= suspected
//|   AND NOT EXISTS { (newer)-[:DISTINCT_FROM|SUPERSEDES]-(older) }
//| MERGE (newer)-[r:MAY_SUPERSEDE]->(older)
//| SET r.confidence = pair.confidence, r.found_by = 'detected', r.found_at = coalesce(r.found_at, $now)
//| RETURN count(r) AS saved
//=
