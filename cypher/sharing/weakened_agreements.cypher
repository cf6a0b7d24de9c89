// Agreements that fewer than two agents hold still, or that say what none of their statements says any more, of those that
// rest on the memories given.
//
// params:  originals LIST<STRING> (uids), gone LIST<STRING> (uids that say nothing any more)
// returns: uid STRING, scope STRING
// mode:    read
UNWIND $originals AS original
MATCH (a:Memory)-[:DERIVED_FROM]->(:Memory {uid: original})
WHERE a.source_type = 'agreement' AND a.made_by IS NOT NULL AND a.erased_by IS NULL AND NOT a.uid IN $gone
WITH DISTINCT a
WHERE COUNT {
  MATCH (a)-[:DERIVED_FROM]->(m:Memory)
  WHERE NOT m.uid IN $gone AND m.erased_by IS NULL
  RETURN DISTINCT m.agent_id
} < 2 OR NOT EXISTS {
  MATCH (a)-[:DERIVED_FROM]->(m:Memory)
  WHERE NOT m.uid IN $gone AND m.erased_by IS NULL AND m.text = a.text
}
RETURN a.uid AS uid, a.scope AS scope
ORDER BY uid
