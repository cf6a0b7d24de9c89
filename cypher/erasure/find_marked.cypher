// Memories that an erasure has marked.
//
// params:  run STRING, limit INTEGER
// returns: all: uid STRING, scope STRING, speaker STRING (empty for none); first: uid STRING or NULL
// mode:    read
// choices: all first (the uid of the oldest; it begins with when that was stored)
MATCH (m:Memory {erased_by: $run})
//= all
RETURN m.uid AS uid, m.scope AS scope, coalesce(m.speaker, '') AS speaker
LIMIT $limit
//= first
//| RETURN min(m.uid) AS uid
//=
