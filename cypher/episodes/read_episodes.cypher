// Read the content of some visible episodes.
//
// params:  uids LIST<STRING>, scopes LIST<STRING>, now ZONED DATETIME
// returns: uid STRING, external_id STRING or NULL, scope STRING, text STRING, structured STRING (JSON)
//          or NULL, domain STRING, model STRING, correct STRING (or empty), occurred_at ZONED DATETIME, q_value FLOAT
// mode:    read
UNWIND $uids AS uid
MATCH (e:Memory {uid: uid})
WHERE e.scope IN $scopes AND e.state = 'active' AND e.expires_at > $now
  AND e.valid_from <= $now AND e.valid_to > $now
RETURN e.uid AS uid, e.external_id AS external_id, e.scope AS scope, coalesce(e.text, '') AS text,
       e.structured AS structured, coalesce(e.domain, '') AS domain, coalesce(e.model, '') AS model, coalesce(e.correct, '') AS correct,
       e.occurred_at AS occurred_at, coalesce(e.q_value, 0.5) AS q_value
ORDER BY uid
