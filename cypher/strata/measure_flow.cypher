// Count memories added to strata, moved between them and removed, by day (UTC); undone moves count in the other
// direction.
//
// An added memory counts when it was recorded, in the stratum of its first move. Condensed sources count as removed,
// and their condensed memory as added.
//
// params:  tenant STRING, scopes LIST<STRING>, since ZONED DATETIME
// returns: day STRING (YYYY-MM-DD), action STRING (store, a move's, undo, or condense), from STRING or NULL, to STRING or NULL (out of
//          recall), memories INTEGER
// mode:    read
CALL () {
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.recorded_at >= $since AND m.uid IS NOT NULL
  WITH m WHERE m.state IN ['active', 'archived']
  RETURN m.recorded_at AS at, 'store' AS action, null AS from, coalesce(COLLECT {
    MATCH (t:Transition {memory_uid: m.uid})
    WHERE t.at >= m.recorded_at
    RETURN t.from_stratum ORDER BY t.at LIMIT 1
  }[0], m.stratum) AS to
UNION ALL
  MATCH (t:Transition)
  WHERE t.at >= $since
  WITH t WHERE t.scope IN $scopes
  RETURN t.at AS at, t.action AS action, t.from_stratum AS from,
         CASE t.to_state WHEN 'active' THEN t.to_stratum END AS to
UNION ALL
  MATCH (t:Transition)
  WHERE t.at >= $since
  WITH t WHERE t.scope IN $scopes AND t.undone_at IS NOT NULL
  RETURN t.undone_at AS at, 'undo' AS action, CASE t.to_state WHEN 'active' THEN t.to_stratum END AS from,
         t.from_stratum AS to
UNION ALL
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.started_at >= $since
  WITH r WHERE r.kind = 'consolidation' AND r.scope IN $scopes
  MATCH (c:Cluster)
  WHERE c.run_uid = r.uid AND c.position >= 0 AND c.state IN ['condensed', 'kept']
  UNWIND c.sources AS source
  RETURN r.started_at AS at, 'condense' AS action, c.from_stratum AS from, null AS to
}
RETURN toString(date(datetime({datetime: at, timezone: 'Z'}))) AS day, action, from, to, count(*) AS memories
ORDER BY day, action, from, to
