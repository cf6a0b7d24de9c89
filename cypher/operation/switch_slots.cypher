// Let recalls read the slot that was filled; the one they read until now is retired.
//
// params:  embedder STRING (that filled it)
// returns: slot STRING, or no row where another one or none was filling
// mode:    write
MATCH (s:Schema {name: 'schema', other_state: 'filling', other_embedder: $embedder})
WITH s, s.embedder AS embedder, s.dimension AS dimension, s.source AS source
SET s.slot = CASE s.slot WHEN 'a' THEN 'b' ELSE 'a' END, s.other_state = 'retiring',
    s.embedder = s.other_embedder, s.dimension = s.other_dimension, s.source = s.other_source,
    s.other_embedder = embedder, s.other_dimension = dimension, s.other_source = source
RETURN s.slot AS slot
