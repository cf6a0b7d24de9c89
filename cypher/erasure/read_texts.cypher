// Read the texts of memories that have their own text to embed.
//
// params:  uids LIST<STRING>
// returns: uid STRING, text STRING
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.text IS NOT NULL
RETURN m.uid AS uid, m.text AS text
ORDER BY uid
