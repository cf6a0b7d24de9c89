// Read the places and revisions of memories: scope, session and stratum.
//
// params:  uids LIST<STRING>
// returns: uid STRING, scope STRING, session_id STRING (empty for none), revision INTEGER, active_in STRING or NULL (the
//          stratum, of what is in recall)
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, m.scope AS scope, coalesce(m.session_id, '') AS session_id,
       coalesce(m.revision, 1) AS revision, CASE m.state WHEN 'active' THEN m.stratum END AS active_in
