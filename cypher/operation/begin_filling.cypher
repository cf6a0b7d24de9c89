// Record which embedder fills the other slot; not if something else is in it.
//
// params:  embedder STRING, dimension INTEGER, source STRING
// returns: begun INTEGER
// mode:    write
MATCH (s:Schema {name: 'schema'})
WHERE s.other_state IS NULL OR (s.other_state = 'filling' AND s.other_embedder = $embedder)
SET s.other_state = 'filling', s.other_embedder = $embedder, s.other_dimension = $dimension,
    s.other_source = $source
RETURN count(*) AS begun
