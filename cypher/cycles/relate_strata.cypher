// Count pairs of strata whose memories helped the same cycles of a scope.
//
// params:  scope STRING, cycles LIST<STRING> of uids
// returns: one STRING, other STRING (strata, in the order of the alphabet), pairs INTEGER (of memories), linked INTEGER (of
//          these, by a link), together INTEGER (how often), succeeded INTEGER (how often in a cycle that succeeded)
// mode:    read
UNWIND $cycles AS uid
MATCH (c:Cycle {uid: uid})-[:HAS_PHASE]->(:CyclePhase)-[g:GAVE]->(m:Memory)
WHERE g.used AND m.scope = $scope AND m.state = 'active'
WITH c, collect(DISTINCT m)[..20] AS helped
UNWIND helped AS a
UNWIND helped AS b
WITH c, a, b
WHERE a.stratum < b.stratum
WITH a, b, count(c) AS together, sum(CASE WHEN c.status = 'success' THEN 1 ELSE 0 END) AS succeeded
WITH a.stratum AS one, b.stratum AS other, together, succeeded,
     EXISTS { (a)-[:REQUIRES|SIMILAR_TO|USED|DERIVED_FROM]-(b) } AS linked
RETURN one, other, count(*) AS pairs, sum(CASE WHEN linked THEN 1 ELSE 0 END) AS linked, sum(together) AS together,
       sum(succeeded) AS succeeded
ORDER BY one, other
