// Whether an owner has a reward after a uid, by a scan of all rewards, like their removal.
//
// params:  tenant STRING, scope STRING, actor STRING (`agent/…` or `user/…`), after STRING (a uid, or the beginning of one)
// returns: known BOOLEAN
// mode:    read
RETURN EXISTS {
  MATCH (w:Reward)
    USING INDEX w:Reward(uid)
  WHERE w.uid > $after AND w.tenant = $tenant AND (w.scope = $scope OR w.actor = $actor)
} AS known
