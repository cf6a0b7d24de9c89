// Read what a run has condensed and not undone: the number of clusters, of those changed since, and the last clusters.
//
// An undo first asks without the rows whether anything is lost; it then undoes a few clusters at a time.
//
// params:  run STRING, limit INTEGER
// returns: clusters INTEGER, lost INTEGER, first STRING or NULL (the condensed memory of the first that is lost),
//          later STRING or NULL (the latest run that condensed a lost one again),
//          rows LIST<MAP> {uid STRING, condensed STRING, sources LIST<STRING>, session_ids LIST<STRING or NULL>,
//          intact BOOLEAN} (the last first; with the part rows)
// mode:    read
// parts:   rows (of the last clusters, and the numbers of these alone)
MATCH (c:Cluster)
WHERE c.run_uid = $run AND c.position >= 0 AND c.state = 'condensed'
WITH c
//+ rows
ORDER BY c.position DESC LIMIT $limit
//- rows
OPTIONAL MATCH (m:Memory {uid: c.condensed_uid})
WITH c, m, head(COLLECT { MATCH (m)<-[again:PROMOTED_FROM]-(:Memory) RETURN again.run_uid }) AS later
WITH c, later,
     coalesce(m.state = 'active' AND m.stratum = c.to_stratum AND coalesce(m.revision, 1) = 1
       AND m.q_count = c.q_count AND m.importance = c.importance AND m.moved_by IS NULL
       AND later IS NULL
       AND COUNT { (m)-[:PROMOTED_FROM]->(:Memory {state: 'archived', condensed_by: $run}) } = size(c.sources)
       AND NOT EXISTS { (m)-[:SHARED_WITH|REQUIRES|USED|DERIVED_FROM]->() }
       AND NOT EXISTS { (m)<-[:REQUIRES|USED|DERIVED_FROM|PUBLISHED_FROM]-() }
       AND NOT EXISTS { (m)-[l:SIMILAR_TO|SOLVED|ATTEMPTED]-() WHERE l.similarity IS NULL }, false) AS intact
     //+ rows
     , COLLECT { MATCH (m)-[:PROMOTED_FROM]->(s:Memory {state: 'archived', condensed_by: $run})
                 RETURN DISTINCT s.session_id } AS session_ids
ORDER BY c.position DESC
     //- rows
RETURN count(*) AS clusters, sum(CASE WHEN intact THEN 0 ELSE 1 END) AS lost,
       min(CASE WHEN NOT intact THEN [c.position, c.condensed_uid] END)[1] AS first,
       max(CASE WHEN NOT intact THEN later END) AS later
       //+ rows
       , collect({uid: c.uid, condensed: c.condensed_uid, sources: c.sources, session_ids: session_ids,
                  intact: intact}) AS rows
       //- rows
