// Read the utility of memories in some contexts.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>, contexts LIST<STRING>
// returns: uid STRING, context STRING, q_value FLOAT, q_count INTEGER, q_left FLOAT, q_m2 FLOAT, q_init FLOAT
// mode:    read
// parts:   scopes (of those alone that a reader sees)
UNWIND $uids AS uid
UNWIND $contexts AS context
MATCH (e:Estimate {memory_uid: uid, context: context})
//+ scopes
WHERE e.scope IN $scopes
//- scopes
RETURN uid, context, coalesce(e.q_value, 0.5) AS q_value, coalesce(e.q_count, 0) AS q_count,
       coalesce(e.q_left, 1.0) AS q_left, coalesce(e.q_m2, 0.0) AS q_m2, coalesce(e.q_init, 0.5) AS q_init
ORDER BY uid, context
