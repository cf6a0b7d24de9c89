// Read the learning state of some scopes.
//
// params:  scopes LIST<STRING>, known LIST<STRING> (versions)
// returns: state MAP of properties (without the model); models: scope STRING, version STRING, model STRING or NULL (where
//          the version is known)
// mode:    read
// choices: states (counts, when each job ran, and its report) models (of the next tool, that are newer than what is known
//          of them)
MATCH (k:KnowledgeBase)
//= states
WHERE k.scope IN $scopes
RETURN k {.*, model: null} AS state
//= models
//| WHERE k.scope IN $scopes AND k.model_version IS NOT NULL
//| RETURN k.scope AS scope, k.model_version AS version,
//|        CASE WHEN NOT k.model_version IN $known THEN k.model END AS model
//=
ORDER BY k.scope
