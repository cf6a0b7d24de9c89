// Count the episodes of a scope, by verdict, state and run, and their problems and strategies.
//
// params:  scope STRING
// returns: episodes INTEGER, correct INTEGER, wrong INTEGER, active INTEGER, bytes INTEGER,
//          problems INTEGER, strategies INTEGER, runs LIST of [run STRING, episodes INTEGER]
// mode:    read
CALL () {
  MATCH (e:Episode)
  WHERE e.scope = $scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0
  RETURN count(*) AS episodes, count(CASE WHEN e.correct = 'true' THEN 1 END) AS correct,
         count(CASE WHEN e.correct = 'false' THEN 1 END) AS wrong,
         count(CASE WHEN e.state = 'active' THEN 1 END) AS active, sum(e.stored_bytes) AS bytes
}
CALL () {
  MATCH (e:Episode)
  WHERE e.scope = $scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0 AND e.run <> ''
  WITH e.run AS run, count(*) AS brought ORDER BY run
  RETURN collect([run, brought]) AS runs
}
CALL () {
  MATCH (p:Problem)
  WHERE p.scope = $scope AND p.uid IS NOT NULL
  RETURN count(*) AS problems
}
CALL () {
  MATCH (s:Strategy)
  WHERE s.scope = $scope AND s.uid IS NOT NULL
  RETURN count(*) AS strategies
}
RETURN episodes, correct, wrong, active, bytes, problems, strategies, runs
