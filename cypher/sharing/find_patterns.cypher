// Patterns that enough members of a channel have with equal text, a page of them by signature.
//
// An agent counts once. One signature may have several texts. The confidence is the mean, weighted by support.
//
// params:  channel STRING (scope), agents INTEGER, confidence FLOAT [0, 1], now ZONED DATETIME, after STRING,
//          until STRING (signatures), limit INTEGER
// returns: signature STRING, text STRING, pattern_type STRING, agents INTEGER, support INTEGER,
//          confidence FLOAT, uids LIST<STRING> (of the members' patterns)
// mode:    read
MATCH (a:Scope)-[member:MEMBER_OF]->(:Scope {scope: $channel})
WHERE member.left_at IS NULL
MATCH (p:Pattern {scope: a.scope})
WHERE p.signature > $after AND p.signature <= $until AND p.uid > ''
  AND p.state = 'active' AND p.confidence >= $confidence
  AND p.expires_at > $now AND p.valid_from <= $now AND p.valid_to > $now
WITH p.signature AS signature, p.text AS text, p
ORDER BY signature, text, p.uid
WITH signature, text, min(p.pattern_type) AS pattern_type, count(DISTINCT p.scope) AS agents,
     sum(coalesce(p.support, 1)) AS support,
     sum(p.confidence * coalesce(p.support, 1)) AS weighed, collect(p.uid) AS uids
WHERE agents >= $agents AND support > 0
RETURN signature, text, pattern_type, agents, support, round(weighed / support, 6) AS confidence, uids
ORDER BY signature, agents DESC, text
LIMIT $limit
