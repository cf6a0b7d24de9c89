// Models of the next tool of some scopes that are newer than what is known of them.
//
// params:  scopes LIST<STRING>, known LIST<STRING> (versions)
// returns: scope STRING, version STRING, model STRING or NULL (where the version is known)
// mode:    read
MATCH (k:KnowledgeBase)
WHERE k.scope IN $scopes AND k.model_version IS NOT NULL
RETURN k.scope AS scope, k.model_version AS version,
       CASE WHEN NOT k.model_version IN $known THEN k.model END AS model
ORDER BY scope
