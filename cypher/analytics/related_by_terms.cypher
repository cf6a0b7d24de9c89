// Related by terms: memories that share the most names and key phrases with one
//
// params:  memory STRING (uid or external id; '' takes the one that mentions most), scope STRING
//          (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: text STRING, kind STRING, shared INTEGER, terms LIST<STRING> (the rarest first),
//          uid STRING
// mode:    read
//
// :params {memory: '', scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
  AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
WITH m
ORDER BY COUNT { (m)-[:MENTIONS]->(:Term) } DESC, m.uid
LIMIT 1
MATCH (m)-[:MENTIONS]->(t:Term)<-[:MENTIONS]-(o:Memory)
WITH o, t
ORDER BY t.document_frequency, t.name
WITH o, collect(t.display) AS terms
RETURN left(o.text, 120) AS text, o.kind AS kind, size(terms) AS shared, terms, o.uid AS uid
ORDER BY shared DESC, uid
LIMIT toInteger($limit)
