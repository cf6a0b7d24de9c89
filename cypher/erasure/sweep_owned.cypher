// Remove what else an owner has, some of each: tasks, what is usual there, its surprise plugin, sessions, terms, runs and what they condensed;
// and take its name off changes of the configuration.
//
// params:  tenant STRING, scope STRING, actor STRING (`agent/…` or `user/…`), limit INTEGER (of each)
// returns: Task INTEGER, Momentum INTEGER, SurprisePlugin INTEGER, Session INTEGER, Term INTEGER, Run INTEGER,
//          Cluster INTEGER, ConfigChange INTEGER
// mode:    write
CALL () {
  MATCH (n:Task) WHERE n.scope = $scope AND n.task_id IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Task
}
CALL () {
  MATCH (n:Momentum) WHERE n.scope = $scope AND n.context IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Momentum
}
CALL () {
  MATCH (n:SurprisePlugin {scope: $scope})
  DELETE n
  RETURN count(*) AS SurprisePlugin
}
CALL () {
  MATCH (n:Session) WHERE n.scope = $scope AND n.session_id IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Session
}
CALL () {
  MATCH (n:Term) WHERE n.scope = $scope AND n.name IS NOT NULL
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Term
}
CALL () {
  MATCH (n:Run)
    USING INDEX n:Run(scope, kind, started_at)
  WHERE n.scope = $scope AND n.kind IS NOT NULL AND n.started_at IS NOT NULL
  WITH n WHERE n.tenant = $tenant AND n.kind <> 'erasure'
  LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS Run
}
CALL () {
  MATCH (n:Cluster)
    USING INDEX n:Cluster(scope)
  WHERE n.scope = $scope
  WITH n LIMIT $limit
  DELETE n
  RETURN count(*) AS Cluster
}
CALL () {
  MATCH (n:ConfigChange)
    USING INDEX n:ConfigChange(actor)
  WHERE n.actor = $actor
  WITH n WHERE n.tenant = $tenant
  LIMIT $limit
  SET n.actor = ''
  RETURN count(*) AS ConfigChange
}
RETURN Task, Momentum, SurprisePlugin, Session, Term, Run, Cluster, ConfigChange
