// Memories that an erasure has marked.
//
// params:  run STRING, limit INTEGER
// returns: uid STRING, scope STRING, speaker STRING (empty for none)
// mode:    read
MATCH (m:Memory {erased_by: $run})
RETURN m.uid AS uid, m.scope AS scope, coalesce(m.speaker, '') AS speaker
LIMIT $limit
