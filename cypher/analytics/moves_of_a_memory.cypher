// Strata: the moves of one memory, and why
//
// params:  memory STRING (a uid or an external id; '' takes what moved last), scope STRING (such as agent/planner; '' is
//          every scope), limit INTEGER (> 0, rows at most)
// returns: at ZONED DATETIME, action STRING, from STRING, to STRING, reason STRING, measured FLOAT, limit FLOAT,
//          weight FLOAT, run STRING or NULL, undone ZONED DATETIME or NULL
// mode:    read
//
// :params {memory: '', scope: '', limit: 100}
CALL () {
  MATCH (t:Transition)
  WHERE $memory = '' AND t.at IS NOT NULL AND t.scope ENDS WITH $scope
  RETURN t.memory_uid AS uid ORDER BY t.at DESC LIMIT 1
UNION
  MATCH (m:Memory)
  WHERE $memory <> '' AND (m.uid = $memory OR m.external_id = $memory) AND m.scope ENDS WITH $scope
  RETURN m.uid AS uid LIMIT 1
}
MATCH (t:Transition {memory_uid: uid})
RETURN t.at AS at, t.action AS action, t.from_stratum AS from,
       CASE t.to_state WHEN 'active' THEN t.to_stratum ELSE t.to_state END AS to, t.reason AS reason,
       round(t.measured, 4) AS measured, t.limit AS limit, round(t.weight, 4) AS weight, t.run_uid AS run,
       t.undone_at AS undone
ORDER BY at DESC
LIMIT toInteger($limit)
