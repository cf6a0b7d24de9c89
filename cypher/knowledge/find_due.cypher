// A scope with observations since its last job, the longest waiting first.
//
// params:  before ZONED DATETIME
// returns: scope STRING
// mode:    read
// choices: patterns tools insights
MATCH (k:KnowledgeBase)
//= patterns
WHERE k.patterns_at <= $before
WITH k WHERE k.changed_at > k.patterns_at
//= tools
//| WHERE k.tools_at <= $before
//| WITH k WHERE k.changed_at > k.tools_at
//= insights
//| WHERE k.insights_at <= $before
//| WITH k WHERE k.changed_at > k.insights_at
//=
RETURN k.scope AS scope
//= patterns
ORDER BY k.patterns_at, scope
//= tools
//| ORDER BY k.tools_at, scope
//= insights
//| ORDER BY k.insights_at, scope
//=
LIMIT 1
