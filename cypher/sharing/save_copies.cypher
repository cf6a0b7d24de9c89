// Create or update copies of locked memories in channels, if the slot is in use.
//
// A copy has no versions: what its owner changes is removed from the channel too. Its relationships other than to its
// original are removed.
//
// params:  rows LIST<MAP> {uid STRING, originals LIST<STRING>, channel STRING, label STRING, properties MAP,
//          embedder STRING, vector LIST<FLOAT> (d, unit length)} (sorted)
// returns: saved INTEGER
// mode:    write
// slots:   a b
CYPHER 25
MATCH (s:Schema {name: 'schema'})
WHERE 'embedding_' + s.slot = 'embedding_a'
UNWIND $rows AS row
MATCH (channel:Scope {scope: row.channel})
MERGE (copy:Memory {uid: row.uid})
REMOVE copy:Observation:Problem:Episode:Concept:Strategy:Pattern:Insight:Preference,
       copy.embedding_other, copy.embedding_other_by
SET copy += row.properties, copy:$(row.label), copy.revision = coalesce(copy.revision, 0) + 1,
    copy.embedding_a_by = row.embedder
WITH copy, row, channel
CALL (copy, row, channel) {
  MATCH (copy)-[old:PUBLISHED_FROM]->(m:Memory)
  WHERE NOT m.uid IN row.originals
  OPTIONAL MATCH (m)-[shared:SHARED_WITH]->(channel)
  WHERE NOT EXISTS { (m)<-[:PUBLISHED_FROM]-(other:Memory {scope: channel.scope}) WHERE other <> copy }
  DELETE old, shared
}
CALL (copy, row, channel) {
  UNWIND row.originals AS uid
  MATCH (m:Memory {uid: uid})
  MERGE (copy)-[:PUBLISHED_FROM]->(m)
  MERGE (m)-[shared:SHARED_WITH]->(channel)
  ON CREATE SET shared.published_at = copy.published_at
}
CALL db.create.setNodeVectorProperty(copy, 'embedding_a', row.vector)
RETURN count(*) AS saved
