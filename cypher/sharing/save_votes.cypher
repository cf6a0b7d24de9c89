// Cast or withdraw the vote of an agent on locked statements; a repeated vote keeps the first.
//
// params:  rows LIST<MAP> {agent STRING (scope), uid STRING} (sorted), agrees BOOLEAN, now ZONED DATETIME
// returns: cast: changed INTEGER; withdraw: changed INTEGER
// mode:    write
// choices: cast withdraw
UNWIND $rows AS row
MATCH (w:Scope {scope: row.agent})
MATCH (m:Memory {uid: row.uid})
//= cast
WHERE m.erased_by IS NULL
MERGE (w)-[v:VOTED]->(m)
WITH m, v, coalesce(v.agrees <> $agrees, true) AS changes
SET v.scope = m.scope, v.agrees = $agrees, v.at = CASE WHEN changes THEN $now ELSE v.at END
RETURN sum(CASE WHEN changes THEN 1 ELSE 0 END) AS changed
//= withdraw
//| MATCH (w)-[v:VOTED]->(m)
//| DELETE v
//| RETURN count(*) AS changed
//=
