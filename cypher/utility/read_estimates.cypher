// Read the worth of memories in some contexts.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>, contexts LIST<STRING>
// returns: uid STRING, context STRING, q_value FLOAT, q_left FLOAT, q_init FLOAT
// mode:    read
UNWIND $uids AS uid
UNWIND $contexts AS context
MATCH (e:Estimate {memory_uid: uid, context: context})
WHERE e.scope IN $scopes
RETURN uid, context, coalesce(e.q_value, 0.5) AS q_value, coalesce(e.q_left, 1.0) AS q_left,
       coalesce(e.q_init, 0.5) AS q_init
ORDER BY uid, context
