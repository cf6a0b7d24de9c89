// Remove what else an owner has, some of each: tasks, momenta, its surprise plugin, cycles with their parts, sessions,
// terms, runs and their clusters; and remove its name from changes of the configuration.
//
// params:  tenant STRING, scope STRING, actor STRING (`agent/…` or `user/…`), limit INTEGER (of each)
// returns: Task INTEGER, Momentum INTEGER, SurprisePlugin INTEGER, Cycle INTEGER, CycleLearning INTEGER, Session INTEGER, Term INTEGER, Run INTEGER,
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
  MATCH (n:Cycle) WHERE n.scope = $scope AND n.started_at IS NOT NULL AND n.uid IS NOT NULL
  WITH n LIMIT $limit
  OPTIONAL MATCH (n)-[:HAS_PHASE|HAS_STEP]->(part)
  WITH n, collect(part) AS parts
  OPTIONAL MATCH (n)<-[:PATCHES]-(p:Patch)
  WITH n, parts, collect(p) AS patches
  FOREACH (part IN parts | DETACH DELETE part)
  FOREACH (p IN patches | DETACH DELETE p)
  DETACH DELETE n
  RETURN count(*) AS Cycle
}
CALL () {
  MATCH (n:CycleLearning {scope: $scope})
  DELETE n
  RETURN count(*) AS CycleLearning
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
  // receipts of erasures are kept: they contain no names
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
RETURN Task, Momentum, SurprisePlugin, Cycle, CycleLearning, Session, Term, Run, Cluster, ConfigChange
