// Where memories lie and which revision they are.
//
// params:  uids LIST<STRING>
// returns: uid STRING, scope STRING, session_id STRING (empty for none), revision INTEGER
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, m.scope AS scope, coalesce(m.session_id, '') AS session_id,
       coalesce(m.revision, 1) AS revision
