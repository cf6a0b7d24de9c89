// Read the state of some scopes' learning: counts, when each job ran, and its report.
//
// params:  scopes LIST<STRING>
// returns: state MAP of properties (without the model)
// mode:    read
MATCH (k:KnowledgeBase)
WHERE k.scope IN $scopes
RETURN k {.*, model: null} AS state
ORDER BY state.scope
