// The agreements of a channel.
//
// params:  scope STRING, run STRING
// returns: known: uid STRING, text STRING, statements LIST<STRING>; made: uid STRING, revision INTEGER
// mode:    read
// choices: known (with the statements that each rests on) made (by a run, that are as it left them)
MATCH (a:Memory)
WHERE a.scope = $scope AND a.external_id STARTS WITH 'agreement:'
WITH a
WHERE a.source_type = 'agreement'
//= known
  AND a.made_by IS NOT NULL AND a.erased_by IS NULL
RETURN a.uid AS uid, a.text AS text,
       COLLECT { MATCH (a)-[:DERIVED_FROM]->(m:Memory) RETURN m.uid ORDER BY m.uid } AS statements
//= made
//|   AND a.made_by = $run AND coalesce(a.q_count, 0) = 0
//| RETURN a.uid AS uid, coalesce(a.revision, 1) AS revision
//=
ORDER BY uid
