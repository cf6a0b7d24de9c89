// Names and key phrases of one memory as a graph, with other memories that mention them
//
// params:  memory STRING (uid or external id; '' takes the one that mentions most), scope STRING
//          (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at most)
// returns: m Memory, says MENTIONS, t Term, also MENTIONS, o Memory
// mode:    read
//
// :params {memory: '', scope: '', limit: 100}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope
  AND ($memory = '' OR m.uid = $memory OR m.external_id = $memory)
WITH m
ORDER BY COUNT { (m)-[:MENTIONS]->(:Term) } DESC, m.uid
LIMIT 1
MATCH (m)-[says:MENTIONS]->(t:Term)
OPTIONAL MATCH (t)<-[also:MENTIONS]-(o:Memory)
WHERE o <> m
RETURN m, says, t, also, o
ORDER BY t.document_frequency DESC, t.name, o.uid
LIMIT toInteger($limit)
