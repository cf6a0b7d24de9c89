// The agreements of a channel, and the statements that each rests on.
//
// params:  scope STRING
// returns: uid STRING, text STRING, statements LIST<STRING>
// mode:    read
MATCH (a:Memory)
WHERE a.scope = $scope AND a.external_id STARTS WITH 'agreement:'
WITH a
WHERE a.made_by IS NOT NULL AND a.source_type = 'agreement' AND a.erased_by IS NULL
RETURN a.uid AS uid, a.text AS text,
       COLLECT { MATCH (a)-[:DERIVED_FROM]->(m:Memory) RETURN m.uid ORDER BY m.uid } AS statements
ORDER BY uid
