// Visible events of a tenant in a window of numbers.
//
// params:  tenant STRING, after INTEGER, upto INTEGER, scopes LIST<STRING>, names LIST<STRING>,
//          agent STRING (empty for all)
// returns: seq INTEGER, uid STRING, name STRING, agent_id STRING or NULL, scope STRING, at ZONED DATETIME, data STRING (JSON)
// mode:    read
MATCH (e:Event)
WHERE e.tenant = $tenant AND e.seq > $after AND e.seq <= $upto
  AND e.scope IN $scopes AND e.name IN $names AND ($agent = '' OR e.agent_id = $agent)
RETURN e.seq AS seq, e.uid AS uid, e.name AS name, e.agent_id AS agent_id, e.scope AS scope, e.at AS at,
       e.data AS data
ORDER BY seq
