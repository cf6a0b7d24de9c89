// Active memories of a scope, in columns; times in milliseconds since 1970.
//
// Memories stored directly in `long_term` and never moved do not age there: they are left out, unless a capacity
// includes them. Copies in channels are always left out, as they follow their originals.
//
// params:  scope STRING, stratum STRING, put BOOLEAN (with what was put into `long_term`), uids LIST<STRING>
// returns: stratum STRING (named alone), uid LIST<STRING>, revision LIST<INTEGER>, entered_at LIST<INTEGER>,
//          counted_from LIST<INTEGER>, anchored_at LIST<INTEGER>, grace_until LIST<INTEGER>, initial LIST<FLOAT>,
//          importance LIST<INTEGER>, accesses LIST<INTEGER>, q_value LIST<FLOAT>, surprise LIST<FLOAT>,
//          evidence LIST<BOOLEAN>, asked LIST<BOOLEAN> (that it was not just put there); count: held INTEGER
// mode:    read
// choices: stratum (of one stratum) count (those of it that the gates look at) named (by uid, and by their stratum)
//= stratum count
MATCH (m:Memory)
  USING INDEX m:Memory(scope, stratum, state, recorded_at)
WHERE m.scope = $scope AND m.stratum = $stratum AND m.state = 'active' AND m.recorded_at IS NOT NULL
WITH m
WHERE m.published_at IS NULL AND ($put OR $stratum <> 'long_term' OR m.stratum_since IS NOT NULL)
//= count
//| RETURN count(m) AS held
//= named
//| UNWIND $uids AS uid
//| MATCH (m:Memory {uid: uid})
//| WHERE m.scope = $scope AND m.state = 'active'
//= stratum named
WITH m ORDER BY m.uid
WITH m, m.recorded_at.epochMillis AS recorded, coalesce(m.stratum_since.epochMillis, 0) AS since,
     coalesce(m.demoted_at.epochMillis, 0) AS demoted
//= stratum
RETURN collect(m.uid) AS uid, collect(coalesce(m.revision, 1)) AS revision,
//= named
//| RETURN m.stratum AS stratum, collect(m.uid) AS uid, collect(coalesce(m.revision, 1)) AS revision,
//= stratum named
       collect(CASE WHEN since > recorded THEN since ELSE recorded END) AS entered_at,
       collect(CASE WHEN demoted > recorded THEN demoted ELSE recorded END) AS counted_from,
       collect(coalesce(m.w_at.epochMillis, recorded)) AS anchored_at,
       collect(coalesce(m.grace_until.epochMillis, 0)) AS grace_until,
       collect(coalesce(m.w0, 1.0)) AS initial, collect(m.importance) AS importance,
       collect(coalesce(m.access_count, 0)) AS accesses, collect(m.q_value) AS q_value,
       collect(coalesce(m.surprise, 0.0)) AS surprise,
       collect(EXISTS { (m)<-[:DERIVED_FROM|PROMOTED_FROM]-(:Memory {state: 'active'}) }) AS evidence,
       collect(m.stratum <> 'long_term' OR m.stratum_since IS NOT NULL) AS asked
//= named
//| ORDER BY stratum
//=
