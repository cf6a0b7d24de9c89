// Of a page of a tenant's events by uid, those that name a marked memory. Events that never name one are not read.
//
// params:  tenant STRING, names LIST<STRING>, after STRING (a uid, or the beginning of one), limit INTEGER, run STRING
// returns: last STRING or NULL (the uid that the page ends at), named LIST of [uid, waiting BOOLEAN (for its number)]
// mode:    read
UNWIND $names AS name
CALL (name) {
  MATCH (e:Event)
    USING INDEX e:Event(tenant, name, uid)
  WHERE e.tenant = $tenant AND e.name = name AND e.uid > $after
  RETURN e
  ORDER BY e.uid
  LIMIT $limit
}
WITH e ORDER BY e.uid LIMIT $limit
WITH e.uid AS uid, e.waiting IS NOT NULL AS waiting, EXISTS {
  UNWIND [word IN split(coalesce(e.data, ''), '"') WHERE size(word) = 26] AS word
  MATCH (m:Memory {uid: word})
    USING INDEX m:Memory(uid)
  WHERE m.erased_by = $run
  RETURN m
} AS names
RETURN max(uid) AS last, collect(CASE WHEN names THEN [uid, waiting] END) AS named
