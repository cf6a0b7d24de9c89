// What shares words with a question, and which version of their scopes that is.
//
// The versions are read after the words: where they are the ones that a process has loaded, nothing
// was committed between its load and this reading.
//
// params:  scopes LIST<STRING>, lexical_query STRING, lexical_limit INTEGER
// returns: one row: uid LIST<STRING>, lexical LIST<FLOAT> (>= 0), slot STRING (that is read),
//          versions LIST of [scope, version or NULL, counted or NULL], of those that are there
// mode:    read
CALL db.index.fulltext.queryNodes('memory_text', $lexical_query, {limit: $lexical_limit})
YIELD node AS m, score
WHERE m.scope IN $scopes
WITH collect(coalesce(m.uid, '')) AS uid, collect(score) AS lexical
MATCH (schema:Schema {name: 'schema'})
OPTIONAL MATCH (s:Scope)
WHERE s.scope IN $scopes
RETURN uid, lexical, schema.slot AS slot,
       [triple IN collect([s.scope, s.version, s.counted]) WHERE triple[0] IS NOT NULL] AS versions
