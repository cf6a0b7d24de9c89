// Replace the content of memories, if the slot is in use, and no erasure has hidden them.
//
// The old content becomes a Version. A memory with another stratum, or active again, counts as never moved. A new
// vector removes the one in the other slot, which is of the old text. The decay anchor is saved first, so that past
// decay is unaffected by the new importance and stratum.
//
// params:  rows LIST<MAP> {uid STRING, version_uid STRING, properties MAP, label STRING,
//          embedder STRING, vector LIST<FLOAT> (d, unit length)}; without a vector both slots stay,
//          content LIST<STRING> (properties that a version keeps),
//          fading MAP of stratum to [base decay per day, share of it that Q = 1 spares, and more]
// returns: replaced INTEGER, revived LIST<STRING> (of these, what others were made of and that is active again)
// mode:    write
// slots:   a b
CYPHER 25
MATCH (s:Schema {name: 'schema'})
WHERE 'embedding_' + s.slot = 'embedding_a'
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
WHERE m.erased_by IS NULL
CREATE (v:Version)-[:VERSION_OF]->(m)
SET v = m {.tenant, .scope, .content_hash}
FOREACH (name IN $content | SET v[name] = m[name])
// without replacements: the version has the stated end of validity
SET v.valid_to = coalesce(m.held_until, m.valid_to),
    v.uid = row.version_uid, v.memory_uid = m.uid, v.replaced_at = row.properties.recorded_at,
    v.revision = coalesce(m.revision, 1)
WITH m, row, $fading[m.stratum] AS fades,
     coalesce(m.w_at, m.recorded_at) AS since
WITH m, row, CASE WHEN since > row.properties.recorded_at THEN since ELSE row.properties.recorded_at END AS anchor,
     coalesce(m.w0, 1.0) * exp(
       coalesce(fades[0] * (1.0 - fades[1] * coalesce(m.q_value, 0.5)), 0.0)
       / (1.0 + coalesce(m.importance, 3) + log(1.0 + coalesce(m.access_count, 0)))
       * CASE WHEN since >= row.properties.recorded_at OR m.grace_until >= row.properties.recorded_at THEN 0
           ELSE (CASE WHEN m.grace_until > since THEN m.grace_until ELSE since END).epochMillis
             - row.properties.recorded_at.epochMillis END
       / 86400000.0) AS weight
WITH m, row, weight, anchor, m.occurred_at AS occurred_at,
     m.stratum <> row.properties.stratum OR m.state <> row.properties.state AS placed, [key IN m.keys WHERE key STARTS WITH 'o'] AS occurred_keys
REMOVE m:Observation:Problem:Episode:Concept:Strategy:Pattern:Insight:Preference
SET m += row.properties, m.held_until = null, m:$(row.label), m.w0 = weight, m.w_at = anchor,
    m.revision = coalesce(m.revision, 1) + 1,
    m.occurred_at = coalesce(row.properties.occurred_at, occurred_at),
    m.keys = row.properties.keys
      + CASE WHEN row.properties.occurred_at IS NULL THEN occurred_keys ELSE [] END
FOREACH (_ IN CASE WHEN placed THEN [1] ELSE [] END |
  REMOVE m.stratum_since, m.demoted_at, m.moved_by)
FOREACH (_ IN CASE WHEN row.vector IS NULL THEN [] ELSE [1] END |
  REMOVE m.embedding_other, m.embedding_other_by
  SET m.embedding_a_by = row.embedder)
WITH m, row
CALL (m, row) {
  WITH m, row
  WHERE row.vector IS NOT NULL
  CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
  RETURN count(*) AS embedded
}
RETURN count(*) AS replaced,
       collect(CASE WHEN m.condensed_by IS NOT NULL AND m.state = 'active' THEN m.uid END) AS revived
