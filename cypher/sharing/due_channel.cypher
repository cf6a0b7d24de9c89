// A channel with members whose patterns were not looked at for as long as its tenant has set; those never
// looked at first.
//
// params:  now ZONED DATETIME, seconds FLOAT, own MAP (the same by tenant)
// returns: channel STRING (scope)
// mode:    read
MATCH (c:Scope)
  USING INDEX c:Scope(scope)
WHERE c.scope > '' AND c:Channel AND EXISTS { (c)<-[:MEMBER_OF]-() }
WITH c, coalesce($own[c.tenant], $seconds) AS seconds
WHERE c.patterns_at IS NULL OR c.patterns_at + duration({seconds: seconds}) <= $now
RETURN c.scope AS channel
ORDER BY c.patterns_at IS NOT NULL, c.patterns_at, channel
LIMIT 1
