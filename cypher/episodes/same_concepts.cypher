// The concept of a scope that equals each of some new ones: by name, else by meaning.
//
// params:  scope STRING, rows LIST<MAP> {external_id STRING, domain STRING, vector LIST<FLOAT> (d, unit length)},
//          same FLOAT [-1, 1], dimension INTEGER
// returns: place INTEGER (of the row), uid STRING, of those that there are
// mode:    read
// slots:   a b
CYPHER 25
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
MATCH (c:Concept)
WHERE c.scope = $scope AND c.uid > '' AND c.domain = row.domain AND c.state <> 'hidden'
WITH place, c, c.external_id = row.external_id AS named,
     CASE WHEN size(c.embedding_a) = $dimension AND size(row.vector) = $dimension
       THEN 1.5 - 0.5 / vector.similarity.euclidean(c.embedding_a, row.vector) ELSE -1.0 END AS cosine
WHERE named OR cosine >= $same
ORDER BY named DESC, cosine DESC, c.uid
RETURN place, head(collect(c.uid)) AS uid
ORDER BY place
