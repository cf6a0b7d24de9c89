// Credit: strategies and concepts, and what came to them through the memories that used them
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, q_value FLOAT, used_by INTEGER (memories), directly INTEGER
//          (rewards), by_use INTEGER (rewards), gained_by_use FLOAT, waiting INTEGER (credits that the
//          background has not applied), uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.kind IN ['strategy', 'concept']
CALL (m) {
  OPTIONAL MATCH (m)<-[moved:REWARDED]-(:Reward)
  WITH coalesce(moved.via, 'direct') AS via, moved
  RETURN count(CASE WHEN via = 'direct' THEN moved END) AS directly,
         count(CASE WHEN via <> 'direct' THEN moved END) AS by_use,
         sum(CASE WHEN via <> 'direct' THEN moved.q_after - moved.q_before ELSE 0.0 END) AS gained
}
RETURN left(m.text, 120) AS text, m.kind AS kind, round(m.q_value, 4) AS q_value,
       COUNT { (m)<-[:USED]-(:Memory) } AS used_by, directly, by_use,
       round(gained, 4) AS gained_by_use, COUNT { MATCH (c:Credit {memory_uid: m.uid}) } AS waiting,
       m.uid AS uid
ORDER BY used_by DESC, q_value DESC, uid
LIMIT toInteger($limit)
