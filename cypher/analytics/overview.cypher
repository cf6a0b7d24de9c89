// Nodes by label and relationships by type
//
// A memory counts twice: as Memory and as its kind.
//
// params:  scope STRING (such as agent/planner; '' is every scope)
// returns: sort STRING (label or relationship), name STRING, count INTEGER
// mode:    read
//
// :params {scope: ''}
CALL () {
  MATCH (n)
  WHERE coalesce(n.scope, '') ENDS WITH $scope
  UNWIND labels(n) AS name
  RETURN 'label' AS sort, name, count(*) AS count
UNION ALL
  MATCH (n)-[r]->()
  WHERE coalesce(n.scope, '') ENDS WITH $scope
  RETURN 'relationship' AS sort, type(r) AS name, count(*) AS count
}
RETURN sort, name, count
ORDER BY sort, count DESC, name
