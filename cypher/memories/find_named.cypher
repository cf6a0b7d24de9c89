// The memories behind names: uids or external ids.
//
// params:  names LIST<MAP> {scope STRING, uid STRING or NULL, external_id STRING or NULL}, open ZONED DATETIME (what an
//          open beginning of validity is stored as), scopes LIST<STRING>, scope STRING
// returns: links and used: place INTEGER (of the name), uid STRING; replaced and stated: place INTEGER (of the name), uid
//          STRING, scope STRING, begins ZONED DATETIME, is_copy BOOLEAN; revisions: uid STRING, revision INTEGER; places: name STRING, uid
//          STRING, stratum STRING, state STRING, shared BOOLEAN (it is a channel's copy or pattern)
// mode:    read
// choices: links (what links point to) replaced (what memories may replace, with when each begins to hold) stated (what
//          somebody says replaces what, if they lie in one of the scopes, one for each name) used (if they lie in one of
//          the scopes) revisions (if they lie in one of the scopes, each once) places (where those
//          of one scope stand)
//= links replaced stated used
UNWIND range(0, size($names) - 1) AS place
WITH place, $names[place] AS name
//= revisions places
//| UNWIND $names AS name
//=
CALL (name) {
  WITH name WHERE name.uid IS NOT NULL
  MATCH (m:Memory {uid: name.uid})
//= links replaced
  WHERE m.scope = name.scope
//=
  RETURN m
//= links replaced stated used
UNION ALL
//= revisions places
//| UNION
//=
  WITH name WHERE name.uid IS NULL
//= links replaced
  MATCH (m:Memory {scope: name.scope, external_id: name.external_id})
//= stated used revisions
//|   UNWIND $scopes AS scope
//|   MATCH (m:Memory {scope: scope, external_id: name.external_id})
//= places
//|   MATCH (m:Memory {scope: $scope, external_id: name.external_id})
//=
  RETURN m
}
//= stated used
//| WITH place, m
//= revisions
//| WITH DISTINCT m
//= stated used revisions
//| WHERE m.scope IN $scopes AND m.state <> 'hidden'
//= links used
RETURN place, m.uid AS uid
//= replaced
//| WITH place, m
//| WHERE m.state <> 'hidden'
//= stated
//| WITH place, m ORDER BY m.uid
//| WITH place, head(collect(m)) AS m
//= replaced stated
//| RETURN place, m.uid AS uid, m.scope AS scope,
//|        CASE WHEN m.valid_from > $open THEN m.valid_from ELSE m.occurred_at END AS begins,
//|        m.published_at IS NOT NULL AS is_copy
//= stated
//| ORDER BY place
//= used
//| ORDER BY place, uid
//= revisions
//| RETURN m.uid AS uid, coalesce(m.revision, 1) AS revision
//| ORDER BY uid
//= places
//| WITH name, m
//| WHERE m.scope = $scope AND m.state <> 'hidden'
//| RETURN name.name AS name, m.uid AS uid, m.stratum AS stratum, m.state AS state,
//|        m.published_at IS NOT NULL AS shared
//| ORDER BY uid, name
//=
