// Find the credits that still exist, and whether their rewards are valid; their memories are locked.
//
// params:  uids LIST<STRING> (sorted)
// returns: uid STRING, holds BOOLEAN
// mode:    read
UNWIND $uids AS uid
MATCH (c:Credit {uid: uid})
OPTIONAL MATCH (w:Reward {uid: c.reward_uid})
RETURN uid, w IS NOT NULL AND w.reverted_at IS NULL AS holds
ORDER BY uid
