// Cycles, drawn: phases, steps, the memories given and noted, and patches
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: path PATH
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (c:Cycle)
WHERE c.scope ENDS WITH $scope
WITH c ORDER BY c.uid DESC LIMIT toInteger($limit)
MATCH path = (c)-[:HAS_PHASE|HAS_STEP|PATCHES]-()-[:GAVE|WROTE|RESTS_ON]->{0,1}()
RETURN path
ORDER BY c.uid DESC, length(path)
LIMIT toInteger($limit)
