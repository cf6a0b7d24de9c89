// Edges that leave a page of memories, by uid, to others of the same scope; in an export of all of a tenant
// those from copies to their originals too.
//
// What the worker finds by itself, near neighbours with a similarity, is left out.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER
// returns: uid STRING (of each memory of the page), edges LIST<MAP> {type STRING, to STRING,
//          properties MAP}
// mode:    read
MATCH (m:Memory)
  USING INDEX m:Memory(uid)
WHERE m.uid > $after AND m.tenant = $tenant AND ($whole OR m.scope IN $scopes)
  AND m.state <> 'hidden'
WITH m ORDER BY m.uid LIMIT $limit
RETURN m.uid AS uid, COLLECT {
  MATCH (m)-[edge:REQUIRES|SIMILAR_TO|SOLVED|ATTEMPTED|USED|DERIVED_FROM|PROMOTED_FROM|PUBLISHED_FROM|SUPERSEDES|DISTINCT_FROM]->(other:Memory)
  WHERE (other.scope = m.scope OR $whole AND type(edge) = 'PUBLISHED_FROM') AND other.state <> 'hidden' AND edge.similarity IS NULL
  RETURN {type: type(edge), to: other.uid, properties: properties(edge)} AS found
  ORDER BY found.type, found.to
} AS edges
ORDER BY uid
