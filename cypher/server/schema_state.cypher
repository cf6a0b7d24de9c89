// The schema's version and the embedder that filled the graph.
//
// params:
// returns: version INTEGER, embedder STRING, dimension INTEGER, slot STRING
// mode:    read
MATCH (s:Schema {name: 'schema'})
RETURN s.version AS version, s.embedder AS embedder, s.dimension AS dimension, s.slot AS slot
