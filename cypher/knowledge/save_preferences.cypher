// Write preferences and corrections of a locked scope: replaced ones end, and are superseded by the new ones.
//
// params:  scope STRING, preferences LIST<MAP> {uid STRING, values MAP, replaces STRING or NULL, taught_by STRING or NULL},
//          corrections LIST<MAP> {uid STRING, values MAP}, now ZONED DATETIME
// returns: saved INTEGER
// mode:    write
CALL () {
  UNWIND $corrections AS row
  MERGE (n:Correction {uid: row.uid})
  SET n += row.values, n.scope = $scope
  RETURN count(*) AS corrections
}
CALL () {
  UNWIND $preferences AS row
  MERGE (n:UserPreference {uid: row.uid})
  SET n += row.values, n.scope = $scope
  FOREACH (uid IN CASE WHEN row.taught_by IS NULL THEN [] ELSE [row.taught_by] END |
    MERGE (c:Correction {uid: uid})
    MERGE (c)-[:TAUGHT]->(n)
  )
  WITH n, row WHERE row.replaces IS NOT NULL
  MATCH (old:UserPreference {uid: row.replaces})
  WHERE old.scope = $scope
  SET old.valid_to = $now
  MERGE (n)-[:SUPERSEDES]->(old)
  RETURN count(*) AS replaced
}
RETURN corrections + replaced AS saved
