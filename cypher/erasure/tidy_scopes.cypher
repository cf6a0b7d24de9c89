// Remove speakers without memories in a scope, and empty scopes.
//
// params:  rows LIST<MAP> {scope STRING, speakers LIST<STRING>} (sorted), empty BOOLEAN (whether empty scopes go)
// returns: scopes INTEGER (that went)
// mode:    write
UNWIND $rows AS row
MATCH (s:Scope {scope: row.scope})
SET s.asked_at = datetime.realtime()
WITH s, row
CALL (s, row) {
  UNWIND row.speakers AS speaker
  WITH s, speaker WHERE speaker IN s.speakers AND NOT EXISTS {
    MATCH (m:Memory)
    WHERE m.scope = s.scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL
      AND m.speaker = speaker AND m.erased_by IS NULL
  }
  RETURN collect(speaker) AS silent
}
SET s.speakers = [name IN s.speakers WHERE NOT name IN silent]
WITH s
WHERE $empty AND NOT EXISTS { (s)--() }
  AND NOT EXISTS { MATCH (m:Memory) WHERE m.scope = s.scope AND m.recorded_at IS NOT NULL AND m.uid IS NOT NULL }
  AND NOT EXISTS { MATCH (n:Session) WHERE n.scope = s.scope AND n.session_id IS NOT NULL }
  AND NOT EXISTS { MATCH (t:Task) WHERE t.scope = s.scope AND t.task_id IS NOT NULL }
  AND NOT EXISTS { MATCH (n:Momentum) WHERE n.scope = s.scope AND n.context IS NOT NULL }
  AND NOT EXISTS { MATCH (n:SurprisePlugin {scope: s.scope}) }
  AND NOT EXISTS { MATCH (c:Cycle) WHERE c.scope = s.scope AND c.started_at IS NOT NULL AND c.uid IS NOT NULL }
  AND NOT EXISTS { MATCH (n:KnowledgeBase {scope: s.scope}) }
DELETE s
RETURN count(*) AS scopes
