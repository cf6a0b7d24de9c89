// Problems and strategies created with episodes that have no others.
//
// Those with rewards, manual changes, or other relationships are kept.
//
// params:  uids LIST<STRING> (of what is about to go), targets LIST<STRING> (what it hangs on)
// returns: uid STRING, kind STRING
// mode:    read
UNWIND $targets AS target
MATCH (t:Memory {uid: target})
WHERE (t:Problem OR t:Strategy) AND t.source_type = 'episode' AND NOT t.uid IN $uids
  AND coalesce(t.revision, 1) = 1 AND t.q_count = 0
  AND NOT EXISTS {
    MATCH (t)-[:SOLVED|ATTEMPTED|USED|DERIVED_FROM|NEXT]-(other:Memory)
    WHERE NOT other.uid IN $uids
  }
RETURN t.uid AS uid, t.kind AS kind
ORDER BY uid
