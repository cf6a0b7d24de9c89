// Refresh the context text: the turn before, this one and the one after, for the full-text index.
//
// params:  uids LIST<STRING>, reach INTEGER (characters of each neighbour)
// returns: refreshed INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
OPTIONAL MATCH (before:Memory)-[:NEXT]->(m)
OPTIONAL MATCH (m)-[:NEXT]->(after:Memory)
WITH m, head(collect(before)) AS before, head(collect(after)) AS after
SET m.context_text = coalesce(left(before.text, $reach) + '\n', '') + m.text
  + coalesce('\n' + left(after.text, $reach), '')
RETURN count(*) AS refreshed
