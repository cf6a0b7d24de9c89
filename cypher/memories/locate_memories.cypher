// Read the places and revisions of memories: scope, session and stratum, whether an erasure has marked them, and the
// types of their relationships.
//
// params:  uids LIST<STRING>
// returns: uid STRING, scope STRING, session_id STRING (empty for none), revision INTEGER, active_in STRING or NULL (the
//          stratum, of what is in recall), stands BOOLEAN (no erasure takes it out), ties LIST<STRING>
// mode:    read
// parts:   ties
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN m.uid AS uid, m.scope AS scope, coalesce(m.session_id, '') AS session_id,
//+ ties
       COLLECT { MATCH (m)-[r]-() RETURN DISTINCT type(r) } AS ties,
//- ties
       coalesce(m.revision, 1) AS revision, m.erased_by IS NULL AS stands,
       CASE m.state WHEN 'active' THEN m.stratum END AS active_in
