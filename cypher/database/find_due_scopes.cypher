// A scope that was not checked for a time; those never checked first.
//
// params:  before ZONED DATETIME, now ZONED DATETIME, seconds FLOAT, own MAP (the same by tenant); below 0: never, every
//          INTEGER (> 0)
// returns: collect and waiting: scope STRING; gates: scope STRING, runs INTEGER (so far); patterns: channel STRING (scope);
//          changed: scope STRING, version STRING
// mode:    read
// choices: collect (for what may go, of those with active episodes) gates (at its gates, for as long as its tenant has
//          set) patterns (at the patterns of its members, of channels that have some) waiting (for concepts: in which
//          most correct episodes wait, if they are enough) changed (at how its concepts fare, of those with correct
//          episodes that were written to since)
MATCH (s:Scope)
//= collect gates patterns
  USING INDEX s:Scope(scope)
//= waiting changed
//|   USING INDEX s:Scope(solved_waiting)
//= collect gates
WHERE s.scope > ''
//= collect
  AND (s.collected_at IS NULL OR s.collected_at <= $before)
  AND EXISTS {
    MATCH (e:Episode)
      USING INDEX e:Episode(scope, state, stored_bytes)
    WHERE e.scope = s.scope AND e.state = 'active' AND e.stored_bytes IS NOT NULL
  }
RETURN s.scope AS scope
ORDER BY s.collected_at IS NOT NULL, s.collected_at, s.scope
//= patterns
//| WHERE s.scope > '' AND s:Channel AND EXISTS { (s)<-[:MEMBER_OF]-() }
//= gates patterns
//| WITH s, coalesce($own[s.tenant], $seconds) AS seconds
//= gates
//| WHERE seconds >= 0 AND (s.gated_at IS NULL OR s.gated_at + duration({seconds: seconds}) <= $now)
//| RETURN s.scope AS scope, coalesce(s.gate_runs, 0) AS runs
//| ORDER BY s.gated_at IS NOT NULL, s.gated_at, s.scope
//= patterns
//| WHERE s.patterns_at IS NULL OR s.patterns_at + duration({seconds: seconds}) <= $now
//| RETURN s.scope AS channel
//| ORDER BY s.patterns_at IS NOT NULL, s.patterns_at, channel
//= waiting
//| WHERE s.solved_waiting >= $every
//| RETURN s.scope AS scope
//| ORDER BY s.solved_waiting DESC, scope
//= changed
//| WHERE s.solved_waiting >= 0 AND s.version <> coalesce(s.rated_version, '')
//| RETURN s.scope AS scope, s.version AS version
//| ORDER BY coalesce(s.rated_at, datetime({year: 1})), scope
//=
LIMIT 1
