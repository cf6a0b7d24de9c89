// Learned memories with the highest or the lowest Q; at equal Q, more rewards come first.
//
// params:  scopes LIST<STRING>, limit INTEGER (>= 0)
// returns: uid STRING, scope STRING, kind STRING, text STRING (its beginning), q_value FLOAT, q_count INTEGER, q_left
//          FLOAT (share of the initial Q in it), variance FLOAT, successes INTEGER, failures INTEGER, last_reward_at
//          ZONED DATETIME or NULL
// mode:    read
// choices: highest lowest
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.q_value >= 0 AND m.q_count > 0 AND m.state <> 'hidden'
WITH m
//= highest
ORDER BY m.q_value DESC, m.q_count DESC, m.uid
//= lowest
//| ORDER BY m.q_value, m.q_count DESC, m.uid
//=
LIMIT $limit
RETURN m.uid AS uid, m.scope AS scope, m.kind AS kind, left(m.text, 200) AS text,
       m.q_value AS q_value, m.q_count AS q_count, coalesce(m.q_left, 1.0) AS q_left,
       coalesce(m.q_m2, 0.0) AS variance, coalesce(m.success_count, 0) AS successes,
       coalesce(m.failure_count, 0) AS failures, m.last_reward_at AS last_reward_at
//= highest
ORDER BY q_value DESC, q_count DESC, uid
//= lowest
//| ORDER BY q_value, q_count DESC, uid
//=
