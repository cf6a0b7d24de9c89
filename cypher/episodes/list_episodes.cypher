// One page of a scope's episodes, the earliest first; a missing domain or run matches any, an empty run those without
// one.
//
// params:  scope STRING, states LIST<STRING>, domain STRING or NULL, run STRING or NULL,
//          before ZONED DATETIME (recorded until then), after ZONED DATETIME, after_uid STRING, limit INTEGER
// returns: memory MAP (without vectors), bytes INTEGER
// mode:    read
// slots:   a b
CYPHER 25
MATCH (e:Episode)
WHERE e.scope = $scope AND e.occurred_at >= $after AND e.uid IS NOT NULL
  AND (e.occurred_at > $after OR e.uid > $after_uid)
  AND e.state IN $states AND e.erased_by IS NULL AND e.recorded_at <= $before
  AND ($domain IS NULL OR e.domain = $domain) AND ($run IS NULL OR coalesce(e.run, '') = $run)
WITH e
ORDER BY e.occurred_at, e.uid
LIMIT $limit
RETURN e {.*, embedding_a: null, embedding_other: null, context_text: null, folded_text: null,
          keys: null} AS memory,
       e.stored_bytes AS bytes
ORDER BY e.occurred_at, e.uid
