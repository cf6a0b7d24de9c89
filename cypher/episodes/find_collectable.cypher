// The first collectable episodes of a scope, the reason, and which of equal attempts is kept; and counts of all.
//
// Pinned and recent ones, and those covered by a concept, are never collected. Of equal attempts (the same problem,
// actions, verdict and answer) the best without another reason is kept.
//
// params:  scope STRING, settled_before ZONED DATETIME, unused_before ZONED DATETIME, confidence FLOAT,
//          q_low FLOAT, q_default FLOAT, limit INTEGER
// returns: items LIST<MAP> {uid STRING, kept STRING or NULL, reason STRING, text STRING, recorded_at ZONED
//          DATETIME, q_value FLOAT, confidence FLOAT, retrieval_count INTEGER, failure_count INTEGER} (by uid),
//          duplicate INTEGER, low_confidence INTEGER, never_useful INTEGER
// mode:    read
MATCH (e:Episode)
  USING INDEX e:Episode(scope, state, stored_bytes)
WHERE e.scope = $scope AND e.state = 'active' AND e.stored_bytes IS NOT NULL
WITH e,
     e.importance < 5 AND e.recorded_at <= $settled_before
       AND NOT EXISTS { (e)<-[:DERIVED_FROM]-(:Concept) } AS free
WITH e, free,
     CASE WHEN NOT free OR e.success_count > 0 THEN NULL
          WHEN e.confidence >= 0 AND e.confidence < $confidence AND e.correct <> 'true' THEN 'low_confidence'
          WHEN e.recorded_at <= $unused_before
            AND (e.retrieval_count = 0 AND e.failure_count = 0 AND e.q_value <= $q_default
                 OR e.failure_count > 0 AND e.q_value < $q_low) THEN 'never_useful' END AS flaw
ORDER BY flaw IS NOT NULL, e.q_value DESC, e.success_count DESC, e.retrieval_count DESC,
         e.confidence DESC, e.recorded_at, e.uid
WITH CASE WHEN coalesce(e.attempt_key, 0) = 0 THEN e.uid ELSE toString(e.attempt_key) END AS attempt,
     collect({e: e, free: free, flaw: flaw}) AS equals
UNWIND range(0, size(equals) - 1) AS place
WITH equals[0].e AS best, equals[place] AS one, place
WITH one.e AS e, best,
     CASE WHEN one.flaw IS NOT NULL THEN one.flaw WHEN place > 0 AND one.free THEN 'duplicate' END AS reason
WHERE reason IS NOT NULL
WITH e, best, reason ORDER BY e.uid
WITH collect({uid: e.uid, kept: CASE reason WHEN 'duplicate' THEN best.uid END, reason: reason,
              text: left(e.text, 280), recorded_at: e.recorded_at, q_value: e.q_value,
              confidence: e.confidence, retrieval_count: e.retrieval_count,
              failure_count: e.failure_count}) AS all
RETURN all[..$limit] AS items,
       size([one IN all WHERE one.reason = 'duplicate']) AS duplicate,
       size([one IN all WHERE one.reason = 'low_confidence']) AS low_confidence,
       size([one IN all WHERE one.reason = 'never_useful']) AS never_useful
