// The last clusters that a run has condensed, and whether each is still as it left it.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING, condensed STRING, sources LIST<STRING>, scope STRING, session_ids LIST<STRING>,
//          intact BOOLEAN, later STRING or NULL (the run that condensed it again), position INTEGER
// mode:    read
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0 AND c.state = 'condensed'
WITH c ORDER BY c.position DESC LIMIT $limit
OPTIONAL MATCH (m:Memory {uid: c.condensed_uid})
OPTIONAL MATCH (m)<-[again:PROMOTED_FROM]-(:Memory)
WITH c, m, head(collect(again.run_uid)) AS later
OPTIONAL MATCH (m)-[:PROMOTED_FROM]->(s:Memory {state: 'archived', condensed_by: $run})
WITH c, m, later, count(s) AS held, collect(DISTINCT s.session_id) AS session_ids
RETURN c.uid AS uid, c.condensed_uid AS condensed, c.sources AS sources, c.scope AS scope, session_ids,
       later, c.position AS position,
       coalesce(m.state = 'active' AND m.stratum = c.to_stratum AND coalesce(m.revision, 1) = 1
         AND m.q_count = c.q_count AND m.importance = c.importance AND m.moved_by IS NULL
         AND later IS NULL AND held = size(c.sources)
         AND NOT EXISTS { (m)-[:SHARED_WITH|REQUIRES|USED|DERIVED_FROM]->() }
         AND NOT EXISTS { (m)<-[:REQUIRES|USED|DERIVED_FROM|PUBLISHED_FROM]-() }
         AND NOT EXISTS { (m)-[l:SIMILAR_TO|SOLVED|ATTEMPTED]-() WHERE l.similarity IS NULL }, false) AS intact
ORDER BY position DESC
