// Problems that attempts fail at, each with the similar ones that fail too
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: problem STRING, wrong INTEGER, right INTEGER, similar_failures INTEGER, similar LIST<STRING>,
//          actions LIST<STRING> (of the wrong attempts), uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (p:Problem)<-[:ATTEMPTED]-(e:Episode)
WHERE p.scope ENDS WITH $scope AND e.correct = 'false' AND e.state <> 'hidden'
WITH p, collect(e) AS failed
WITH p, failed, COLLECT {
  MATCH (p)-[:SIMILAR_TO]-(q:Problem)
  WHERE EXISTS { (q)<-[:ATTEMPTED]-(f:Episode) WHERE f.correct = 'false' AND f.state <> 'hidden' }
  RETURN DISTINCT q } AS near
RETURN left(p.text, 200) AS problem, size(failed) AS wrong,
       COUNT { (p)<-[:SOLVED]-(s:Episode) WHERE s.state <> 'hidden' } AS right,
       COUNT { UNWIND near AS q MATCH (q)<-[:ATTEMPTED]-(f:Episode)
         WHERE f.correct = 'false' AND f.state <> 'hidden' RETURN f } AS similar_failures,
       [q IN near | left(q.text, 120)] AS similar,
       COLLECT { UNWIND failed AS e UNWIND e.actions AS name RETURN DISTINCT name ORDER BY name } AS actions,
       p.uid AS uid
ORDER BY wrong + similar_failures DESC, wrong DESC, uid
LIMIT toInteger($limit)
