// Count the episodes of a scope that each named run brought.
//
// params:  scope STRING
// returns: run STRING, episodes INTEGER
// mode:    read
MATCH (e:Episode)
WHERE e.scope = $scope AND e.state IN ['active', 'archived', 'hidden'] AND e.stored_bytes >= 0 AND e.run <> ''
RETURN e.run AS run, count(*) AS episodes
ORDER BY run
