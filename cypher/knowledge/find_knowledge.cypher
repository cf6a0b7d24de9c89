// Find knowledge of some scopes for a situation: by words, by template, by context, and current preferences. The
// full-text index lags behind commits, so it is waited for first.
//
// params:  scopes LIST<STRING>, words_query STRING (Lucene; holds the scopes), keys LIST<STRING> (of patterns),
//          lengths LIST<INTEGER> (of query patterns over several queries), context STRING, session_id STRING, least FLOAT
//          (confidence of insights), as_of ZONED DATETIME, limit INTEGER (of each)
// returns: worded LIST<MAP> {score FLOAT, pattern MAP, insight MAP, tool STRING}, patterns LIST<MAP>, tools LIST<STRING>,
//          insights LIST<MAP>, preferences LIST<MAP>, corrections LIST<MAP>
// mode:    read
CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()
CALL () {
  CALL db.index.fulltext.queryNodes('knowledge_text', $words_query, {limit: $limit}) YIELD node AS m, score
  WHERE m.scope IN $scopes
  RETURN collect({score: score, pattern: CASE WHEN m:MemoryPattern THEN m {.*} END,
                  insight: CASE WHEN m:LearnedInsight THEN m {.*} END,
                  tool: CASE WHEN m:Tool THEN m.key END}) AS worded
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope IN $scopes AND n.key IN $keys
  RETURN collect(n {.*}) AS named
}
CALL () {
  MATCH (n:MemoryPattern) WHERE n.scope IN $scopes AND n.general = true AND n.length IN $lengths
  WITH n ORDER BY n.uses DESC, n.scope, n.key LIMIT $limit
  RETURN collect(n {.*}) AS general
}
CALL () {
  MATCH (n:ToolContext) WHERE n.scope IN $scopes AND n.context = $context
  WITH n.tool AS tool, sum(n.uses) AS uses ORDER BY uses DESC, tool LIMIT $limit
  RETURN collect(tool) AS tools
}
CALL () {
  MATCH (n:LearnedInsight) WHERE n.scope IN $scopes AND n.confidence >= $least
  WITH n ORDER BY n.confidence DESC, n.uid LIMIT $limit
  RETURN collect(n {.*}) AS insights
}
CALL () {
  MATCH (n:UserPreference) WHERE n.scope IN $scopes AND n.valid_to > $as_of
  WITH n WHERE n.valid_from <= $as_of AND n.expires_at > $as_of AND (n.session_id = '' OR n.session_id = $session_id)
  ORDER BY n.score DESC, n.uid LIMIT $limit
  RETURN collect(n {.*}) AS preferences
}
CALL () {
  MATCH (n:Correction) WHERE n.scope IN $scopes AND n.at <= $as_of
  WITH n WHERE n.session_id = '' OR n.session_id = $session_id
  ORDER BY n.at DESC, n.uid LIMIT $limit
  RETURN collect(n {.*}) AS corrections
}
RETURN worded, named + general AS patterns, tools, insights, preferences, corrections
