// A page of terms by scope and name, and those whose mentions are miscounted, or that nothing mentions.
//
// params:  scope STRING, name STRING, limit INTEGER
// returns: last LIST<STRING> [scope, name] or NULL, seen INTEGER, terms LIST<LIST<STRING>>
// mode:    read
MATCH (n:Term)
WHERE n.scope >= $scope AND n.name IS NOT NULL
WITH n
WHERE n.scope > $scope OR n.name > $name
WITH n ORDER BY n.scope, n.name LIMIT $limit
WITH collect(n) AS page
RETURN CASE WHEN size(page) > 0 THEN [page[-1].scope, page[-1].name] END AS last, size(page) AS seen,
       [n IN page WHERE coalesce(n.document_frequency, 0) <> COUNT { (n)<-[:MENTIONS]-(:Memory) }
         OR NOT EXISTS { (n)<-[:MENTIONS]-(:Memory) } | [n.scope, n.name]] AS terms
