// Decrease the link counts of kept neighbours, before memories are removed.
//
// params:  uids LIST<STRING>
// returns: unlinked INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
MATCH (m)-[:SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(linked:Memory)
WHERE NOT linked.uid IN $uids
WITH linked, count(*) AS links
ORDER BY linked.uid
SET linked.link_count = coalesce(linked.link_count, 0) - links
RETURN count(*) AS unlinked
