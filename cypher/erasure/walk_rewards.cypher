// Of a page of rewards: remove those of an owner, or only its name if memories of others were updated by them; and
// remove reasons of others' rewards that name it.
//
// params:  tenant STRING, after STRING, limit INTEGER, owner STRING (scope), actor STRING, name STRING, pattern STRING
//          (a regular expression of the name as a word)
// returns: last STRING or NULL (the uid that the page ends at), removed INTEGER, cleaned INTEGER
// mode:    write
MATCH (w:Reward)
// all rewards by uid: reasons have no index
WHERE w.uid > $after
WITH w ORDER BY w.uid LIMIT $limit
WITH w, w.uid AS uid, w.tenant = $tenant AND (w.scope = $owner OR w.actor = $actor) AS own,
     w.tenant = $tenant AND w.reason CONTAINS $name AND w.reason =~ $pattern AS quotes
CALL (w, own) {
  WITH w, own WHERE own
  OPTIONAL MATCH (w)-[:REWARDED]->(m:Memory)
  WHERE m.scope <> $owner
  WITH w, m ORDER BY m.uid
  WITH w, head(collect(m.scope)) AS rewarded
  OPTIONAL MATCH (c:Credit {reward_uid: w.uid})
  WHERE c.scope <> $owner
  WITH rewarded, min(c.scope) AS waiting
  RETURN head(collect(coalesce(rewarded, waiting))) AS kept
}
WITH w, uid, own, kept, coalesce(quotes, false) AS quotes
FOREACH (_ IN CASE WHEN own AND kept IS NULL THEN [1] ELSE [] END | DETACH DELETE w)
FOREACH (_ IN CASE WHEN own AND kept IS NOT NULL THEN [1] ELSE [] END |
  // updates of others' memories are kept, without the author
  SET w.scope = kept
  REMOVE w.actor, w.reason, w.task_id, w.signal_id)
FOREACH (_ IN CASE WHEN quotes AND NOT own THEN [1] ELSE [] END | REMOVE w.reason)
RETURN max(uid) AS last, count(CASE WHEN own AND kept IS NULL THEN 1 END) AS removed,
       count(CASE WHEN own AND kept IS NOT NULL OR quotes AND NOT own THEN 1 END) AS cleaned
