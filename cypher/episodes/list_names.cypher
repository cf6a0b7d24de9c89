// The names in the episodes of some scopes, the most frequent of each kind first.
//
// params:  scopes LIST<STRING>, states LIST<STRING>, limit INTEGER (> 0, names of each sort)
// returns: domains LIST<STRING>, models LIST<STRING>, agents LIST<STRING>, actions LIST<STRING>,
//          tags LIST<STRING>
// mode:    read
CYPHER 25
MATCH (m:Episode)
  USING INDEX m:Episode(scope, occurred_at, uid)
WHERE m.scope IN $scopes AND m.occurred_at IS NOT NULL AND m.uid IS NOT NULL
  AND m.state IN $states
WITH collect(m) AS found
RETURN
  COLLECT { UNWIND found AS m WITH m.domain AS name, count(*) AS uses WHERE name <> ''
    RETURN name ORDER BY uses DESC, name LIMIT $limit } AS domains,
  COLLECT { UNWIND found AS m WITH m.model AS name, count(*) AS uses WHERE name <> ''
    RETURN name ORDER BY uses DESC, name LIMIT $limit } AS models,
  COLLECT { UNWIND found AS m WITH m.agent_id AS name, count(*) AS uses WHERE name <> ''
    RETURN name ORDER BY uses DESC, name LIMIT $limit } AS agents,
  COLLECT { UNWIND found AS m UNWIND m.actions AS name WITH name, count(*) AS uses
    RETURN name ORDER BY uses DESC, name LIMIT $limit } AS actions,
  COLLECT { UNWIND found AS m UNWIND m.tags AS name WITH name, count(*) AS uses
    RETURN name ORDER BY uses DESC, name LIMIT $limit } AS tags
