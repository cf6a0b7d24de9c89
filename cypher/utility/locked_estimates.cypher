// Read the worth of locked memories in some contexts.
//
// params:  uids LIST<STRING> (sorted), contexts LIST<STRING>
// returns: uid STRING, estimates LIST of [context, q_value, q_count, q_left, q_m2, q_init]
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
RETURN uid, COLLECT {
  UNWIND $contexts AS context
  MATCH (e:Estimate {memory_uid: uid, context: context})
  RETURN [context, e.q_value, e.q_count, coalesce(e.q_left, 1.0), coalesce(e.q_m2, 0.0),
          coalesce(e.q_init, 0.5)] AS row
} AS estimates
