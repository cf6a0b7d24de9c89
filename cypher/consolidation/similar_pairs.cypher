// Find the similar ones of some memories, each pair once.
//
// params:  uids LIST<STRING>
// returns: one STRING, two STRING, similarity FLOAT
// mode:    read
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[s:SIMILAR_TO]->(n:Memory)
WHERE n.scope = m.scope AND n.state = 'active'
RETURN m.uid AS one, n.uid AS two, s.similarity AS similarity
