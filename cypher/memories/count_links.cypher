// Recount the links of memories, by which hubs are known.
//
// params:  uids LIST<STRING> (sorted)
// returns: counted INTEGER
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
SET m.link_count =
  COUNT { (m)-[:SIMILAR_TO|REQUIRES|SOLVED|ATTEMPTED|USED|DERIVED_FROM]-(:Memory) }
RETURN count(*) AS counted
