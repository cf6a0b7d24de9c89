// Problems, what was tried for each, and whether it worked
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: problem STRING, solved INTEGER, failed INTEGER, what_worked LIST<STRING>,
//          what_did_not LIST<STRING>, uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (p:Problem)
WHERE p.scope ENDS WITH $scope
WITH p, [(e:Memory)-[:SOLVED]->(p) | left(e.text, 120)] AS worked,
     [(e:Memory)-[:ATTEMPTED]->(p) | left(e.text, 120)] AS did_not
RETURN p.text AS problem, size(worked) AS solved, size(did_not) AS failed,
       worked AS what_worked, did_not AS what_did_not, p.uid AS uid
ORDER BY failed DESC, solved, uid
LIMIT toInteger($limit)
