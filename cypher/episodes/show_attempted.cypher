// Read the problem, strategy and concepts of an episode, with counters.
//
// params:  scopes LIST<STRING>, uid STRING
// returns: uid STRING, edge STRING, kind STRING, text STRING, attempts INTEGER, successes INTEGER
// mode:    read
MATCH (e:Memory {uid: $uid})-[edge:SOLVED|ATTEMPTED|USED]->(t:Memory)
WHERE e.scope IN $scopes AND t.scope IN $scopes AND (t:Problem OR t:Strategy OR t:Concept)
  AND t.state <> 'hidden'
RETURN t.uid AS uid, type(edge) AS edge, t.kind AS kind, t.text AS text,
       coalesce(t.attempts, 0) AS attempts, coalesce(t.successes, 0) AS successes
ORDER BY edge, uid
