// The active attempts that a concept covers, the best first: by utility, confidence, fewer tokens, and time.
//
// params:  concept STRING
// returns: uid STRING, problem STRING, right BOOLEAN, actions LIST<STRING>, revision INTEGER
// mode:    read
MATCH (e:Episode)-[:USED]->(c:Memory {uid: $concept})
WHERE e.state = 'active' AND e.correct <> ''
MATCH (e)-[:SOLVED|ATTEMPTED]->(p:Problem)-[:REQUIRES]->(c)
WITH e, min(p.uid) AS problem
RETURN e.uid AS uid, problem, e.correct = 'true' AS right, coalesce(e.actions, []) AS actions,
       coalesce(e.revision, 1) AS revision
ORDER BY e.q_value DESC, e.confidence DESC, CASE WHEN e.tokens_used < 0 THEN 1e9 ELSE e.tokens_used END,
         e.occurred_at DESC, uid
