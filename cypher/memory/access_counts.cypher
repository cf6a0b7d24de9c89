// How often memories were recalled, as far as it is written, and what was left of them then.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>
// returns: uid STRING, access_count INTEGER, w0 FLOAT, w_at INTEGER (milliseconds since 1970; the end of
//          its grace, where that comes later)
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
WHERE m.scope IN $scopes
RETURN m.uid AS uid, coalesce(m.access_count, 0) AS access_count, coalesce(m.w0, 1.0) AS w0,
       coalesce((CASE WHEN m.grace_until > m.w_at THEN m.grace_until ELSE m.w_at END).epochMillis, 0) AS w_at
