// Replacements: which memory replaced which, the latest first
//
// params:  scope STRING (such as agent/planner; '' is every scope), limit INTEGER (> 0, rows at
//          most)
// returns: since ZONED DATETIME (when the newer began to hold), newer STRING, older STRING, ends BOOLEAN (the older holds no
//          longer by it), confidence FLOAT (0, 1], found_by STRING, evidence STRING or NULL, newer_uid STRING, older_uid STRING
// mode:    read
//
// :params {scope: '', limit: 100}
MATCH (newer:Memory)-[r:SUPERSEDES]->(older:Memory)
WHERE newer.scope ENDS WITH $scope AND newer.state <> 'hidden' AND older.state <> 'hidden'
RETURN r.since AS since, newer.text AS newer, older.text AS older, r.ends AS ends, r.confidence AS confidence,
       r.found_by AS found_by, r.evidence AS evidence, newer.uid AS newer_uid, older.uid AS older_uid
ORDER BY since DESC, newer_uid, older_uid
LIMIT toInteger($limit)
