// Of a page of events by uid, those of a tenant that name a marked memory.
//
// params:  tenant STRING, after STRING (a uid, or the beginning of one), limit INTEGER, run STRING
// returns: last STRING or NULL (the uid that the page ends at), named LIST<STRING> (uids)
// mode:    read
MATCH (e:Event)
WHERE e.uid > $after
WITH e ORDER BY e.uid LIMIT $limit
WITH e.uid AS uid, e.tenant = $tenant AND EXISTS {
  UNWIND split(coalesce(e.data, ''), '"') AS word
  WITH word WHERE size(word) = 26
  MATCH (m:Memory {uid: word})
  WHERE m.erased_by = $run
  RETURN m
} AS names
RETURN max(uid) AS last, collect(CASE WHEN names THEN uid END) AS named
