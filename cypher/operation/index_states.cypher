// Every index with its state.
//
// params:
// returns: name STRING, state STRING, type STRING
// mode:    read
SHOW INDEXES YIELD name, state, type
RETURN name, state, type
ORDER BY name
