// The schema's version, the embedder of the slot in use, and the state of the other slot.
//
// params:
// returns: version INTEGER, embedder STRING, dimension INTEGER, source STRING, slot STRING,
//          other_state STRING, other_embedder STRING, other_dimension INTEGER, other_source STRING
// mode:    read
MATCH (s:Schema {name: 'schema'})
RETURN s.version AS version, s.embedder AS embedder, s.dimension AS dimension,
       s.source AS source, s.slot AS slot, s.other_state AS other_state,
       s.other_embedder AS other_embedder, s.other_dimension AS other_dimension,
       s.other_source AS other_source
