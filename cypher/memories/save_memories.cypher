// Create memories with their kind's label, their vector and their place in a session, if the slot is in use.
//
// A replica that missed a switch writes nothing, and gets no row. Each time is sent once, as text; rows, pairs and
// joints refer to times and memories by index.
//
// params:  rows LIST<MAP> {label STRING, properties MAP, embedder STRING, vector LIST<FLOAT> (d, unit length),
//          times MAP {occurred_at INTEGER and so on}}, times LIST<STRING>,
//          pairs LIST<MAP> {before INTEGER, after INTEGER}, joints LIST<MAP> {tail STRING, first INTEGER} (sorted),
//          ends LIST<MAP> {scope STRING, session_id STRING, last_sequence INTEGER, tail_uid STRING},
//          reach INTEGER (characters of each neighbour),
//          touched LIST<STRING> (sorted; scopes that get another version, if no statement follows)
// returns: saved INTEGER, renewed LIST<STRING> (of these scopes, those that are there)
// mode:    write
// slots:   a b
CYPHER 25
MATCH (s:Schema {name: 'schema'})
WHERE 'embedding_' + s.slot = 'embedding_a'
WITH [text IN $times | datetime(text)] AS times
UNWIND $rows AS row
CREATE (m:Memory)
SET m = row.properties, m:$(row.label), m.embedding_a_by = row.embedder,
    m.occurred_at = times[row.times.occurred_at], m.recorded_at = times[row.times.recorded_at],
    m.valid_from = times[row.times.valid_from], m.valid_to = times[row.times.valid_to],
    m.expires_at = times[row.times.expires_at], m.w_at = times[row.times.w_at],
    m.unlinked_since = times[row.times.unlinked_since]
WITH m, row
// Community has no type VECTOR; a list of numbers set by this procedure is indexed
CALL db.create.setNodeVectorProperty(m, 'embedding_a', row.vector)
WITH collect(m) AS saved
WHERE size(saved) > 0
CALL (saved) {
  UNWIND $pairs AS pair
  WITH saved[pair.before] AS before, saved[pair.after] AS after
  CREATE (before)-[:NEXT]->(after)
}
CALL (saved) {
  UNWIND $joints AS joint
  MATCH (tail:Memory {uid: joint.tail})
  OPTIONAL MATCH (before:Memory)-[:NEXT]->(tail)
  WITH tail, saved[joint.first] AS first, head(collect(before.text)) AS before
  CREATE (tail)-[:NEXT]->(first)
  SET tail.context_text = coalesce(left(before, $reach) + '\n', '') + coalesce(tail.text + '\n' + left(first.text, $reach), ''),
      first.context_text = coalesce(left(tail.text, $reach) + '\n', '') + first.context_text
}
CALL () {
  UNWIND $ends AS end
  MATCH (s:Session {scope: end.scope, session_id: end.session_id})
  SET s.tail_uid = end.tail_uid,
      s.last_sequence = CASE WHEN s.last_sequence > end.last_sequence THEN s.last_sequence ELSE end.last_sequence END
}
CALL () {
  UNWIND $touched AS scope
  MATCH (owner:Scope {scope: scope})
  // last: scopes are locked after everything else
  SET owner.version = randomUUID()
  RETURN collect(owner.scope) AS renewed
}
RETURN size(saved) AS saved, renewed
