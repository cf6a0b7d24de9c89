// The least valuable episodes of a scope, the least first.
//
// First collected or archived ones, then those with a better one of the same problem and verdict (never the last of its
// kind), then by utility, the model's confidence (0.5 if unknown), number of recalls, and age.
//
// params:  scope STRING, kept LIST<STRING> (uids that are not meant), limit INTEGER
// returns: uid STRING, external_id STRING or NULL, revision INTEGER, bytes INTEGER, state STRING,
//          duplicate BOOLEAN, q_value FLOAT, confidence FLOAT, recalled INTEGER
// mode:    read
MATCH (e:Episode)
WHERE e.scope = $scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0
OPTIONAL MATCH (e)-[:SOLVED|ATTEMPTED]->(p:Problem)
WITH e, head(collect(p.uid)) AS problem,
     CASE WHEN e.confidence < 0 THEN 0.5 ELSE e.confidence END AS confidence
ORDER BY e.state, e.q_value DESC, confidence DESC, e.retrieval_count DESC, e.occurred_at DESC, e.uid DESC
WITH problem, e.correct AS verdict, collect(e) AS alike
UNWIND range(0, size(alike) - 1) AS place
WITH alike[place] AS e, problem IS NOT NULL AND place > 0 AS duplicate
WHERE NOT e.uid IN $kept
WITH e, duplicate, CASE WHEN e.confidence < 0 THEN 0.5 ELSE e.confidence END AS confidence,
     CASE e.state WHEN 'hidden' THEN 0 WHEN 'archived' THEN 1 ELSE 2 END AS standing
ORDER BY standing, NOT duplicate, e.q_value, confidence, e.retrieval_count, e.occurred_at, e.uid
LIMIT $limit
RETURN e.uid AS uid, e.external_id AS external_id, coalesce(e.revision, 1) AS revision,
       e.stored_bytes AS bytes, e.state AS state, duplicate, e.q_value AS q_value,
       confidence, e.retrieval_count AS recalled
