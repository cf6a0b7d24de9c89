// Remove memories with their versions and edges.
//
// params:  uids LIST<STRING>
// returns: deleted LIST<STRING>, befores LIST<STRING>, afters LIST<STRING> (what stays of their
//          sessions right before and right after them), versions INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
OPTIONAL MATCH (v:Version)-[:VERSION_OF]->(m)
WITH m, [m] + collect(v) AS nodes
OPTIONAL MATCH (before:Memory)-[:NEXT]->(m)
// removed ones are no neighbours to join
WHERE NOT before.uid IN $uids
OPTIONAL MATCH (m)-[:NEXT]->(after:Memory)
WHERE NOT after.uid IN $uids
WITH collect(DISTINCT m.uid) AS deleted, collect(DISTINCT before.uid) AS befores,
     collect(DISTINCT after.uid) AS afters, collect(nodes) AS groups
WITH deleted, befores, afters, groups, reduce(sum = 0, nodes IN groups | sum + size(nodes) - 1) AS versions
FOREACH (nodes IN groups | FOREACH (n IN nodes | DETACH DELETE n))
RETURN deleted, befores, afters, versions
