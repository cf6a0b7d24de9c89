// Read the texts of some memories, of those that have text of their own to make a vector of.
//
// params:  uids LIST<STRING>
// returns: uid STRING, text STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.text IS NOT NULL
RETURN m.uid AS uid, m.text AS text
ORDER BY uid
