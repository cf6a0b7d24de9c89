// Find the replacements of memories in both directions, with their texts, before a change.
//
// params:  uids LIST<STRING>
// returns: uid STRING, text STRING, others LIST<STRING>; of those that stand so to any
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE EXISTS { (m)-[:SUPERSEDES|MAY_SUPERSEDE]-(:Memory) }
RETURN m.uid AS uid, coalesce(m.text, '') AS text, [(m)-[:SUPERSEDES|MAY_SUPERSEDE]-(o:Memory) | o.uid] AS others
