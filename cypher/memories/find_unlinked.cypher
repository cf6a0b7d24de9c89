// Memories that wait for links, longest first, each with its nearest neighbours in the scope.
//
// Problems are only compared with problems, as their attempts have the same text.
//
// The search precedes any lock. A memory that the vector index does not contain yet is not among its own nearest: it
// has to wait, or it would miss memories saved with it.
//
// Memories deleted meanwhile have no properties, and are left out.
//
// Facts are compared for replacement: no records, no copies, and short. Condensed ones can be replaced, sentence by
// sentence, but replace nothing.
//
// params:  before ZONED DATETIME, limit INTEGER, nearest INTEGER, dimension INTEGER,
//          plain LIST<STRING> (kinds that replace each other), longest INTEGER, longest_condensed INTEGER (characters of such a fact),
//          open ZONED DATETIME (what an open beginning of validity is stored as)
// returns: uid STRING, scope STRING, text STRING, since ZONED DATETIME, active BOOLEAN (so that it
//          has to be found), near LIST of [uid, cosine, q_value, q_left, q_init],
//          best first, facts LIST of [uid, cosine, text, speaker or NULL, begins ZONED DATETIME, recorded_at ZONED DATETIME,
//          session_id, sequence or NULL, revision, condensed], best first, with itself; empty if it is no such fact
// mode:    read
// slots:   a b
CYPHER 25
MATCH (p:Memory)
WHERE p.unlinked_since <= $before
WITH p ORDER BY p.unlinked_since, p.uid LIMIT $limit
WITH p, p.kind IN $plain AND p.structured IS NULL AND p.published_at IS NULL AND p.made_by IS NULL
       AND size(coalesce(p.text, '')) <= $longest AS plain,
     p.scope AS scope, p.embedding_a AS vector,
     p.state = 'active' AND size(p.embedding_a) = $dimension AS active,
     CASE WHEN p.kind = 'problem' THEN ['problem', 'problem']
       ELSE ['observation', 'episode', 'concept', 'strategy', 'pattern', 'insight', 'preference'] END AS kinds,
     p.uid AS uid, p.unlinked_since AS since
WHERE uid IS NOT NULL AND scope IS NOT NULL AND since IS NOT NULL
CALL (scope, vector, active, kinds, plain) {
  WITH scope, vector, kinds, plain WHERE active
  MATCH (m:Memory)
    SEARCH m IN (
      VECTOR INDEX memory_embedding_a FOR vector
      WHERE m.scope = scope AND m.state = 'active' AND m.kind IN kinds
      LIMIT $nearest
    ) SCORE AS nearness
  WITH m, plain, 1.5 - 0.5 / vector.similarity.euclidean(vector, m.embedding_a) AS cosine
  ORDER BY cosine DESC, m.uid
  RETURN collect([m.uid, cosine, coalesce(m.q_value, 0.5), coalesce(m.q_left, 1.0),
                  coalesce(m.q_init, 0.5)]) AS near,
         collect(CASE WHEN plain AND m.kind IN $plain AND m.structured IS NULL AND m.published_at IS NULL
             AND size(m.text) <= CASE WHEN m.made_by IS NULL THEN $longest ELSE $longest_condensed END
           THEN [m.uid, cosine, m.text, m.speaker,
                 CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END, m.recorded_at,
                 m.session_id, m.sequence, coalesce(m.revision, 1), m.made_by IS NOT NULL] END) AS facts
}
RETURN uid, scope, coalesce(p.text, '') AS text, since,
       active, near, facts
ORDER BY since, uid
