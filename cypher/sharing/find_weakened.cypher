// Shared nodes of some memories that too few agents hold.
//
// params:  originals LIST<STRING> (uids), gone LIST<STRING> (uids that say nothing any more)
// returns: uid STRING, scope STRING
// mode:    read
// choices: patterns (that fewer members hold than are needed) agreements (that fewer than two agents hold still, or that
//          say what none of their statements says any more)
UNWIND $originals AS original
//= patterns
MATCH (p:Memory)-[:PUBLISHED_FROM]->(:Memory {uid: original})
WHERE p.agents_needed IS NOT NULL
WITH DISTINCT p
WHERE COUNT {
  MATCH (p)-[:PUBLISHED_FROM]->(m:Memory)
  WHERE NOT m.uid IN $gone AND m.state = 'active' AND m.text = p.text
  RETURN DISTINCT m.scope
} < p.agents_needed
//= agreements
//| MATCH (p:Memory)-[:DERIVED_FROM]->(:Memory {uid: original})
//| WHERE p.source_type = 'agreement' AND p.made_by IS NOT NULL AND p.erased_by IS NULL AND NOT p.uid IN $gone
//| WITH DISTINCT p
//| WHERE COUNT {
//|   MATCH (p)-[:DERIVED_FROM]->(m:Memory)
//|   WHERE NOT m.uid IN $gone AND m.erased_by IS NULL
//|   RETURN DISTINCT m.agent_id
//| } < 2 OR NOT EXISTS {
//|   MATCH (p)-[:DERIVED_FROM]->(m:Memory)
//|   WHERE NOT m.uid IN $gone AND m.erased_by IS NULL AND m.text = p.text
//| }
//=
RETURN p.uid AS uid, p.scope AS scope
ORDER BY uid
