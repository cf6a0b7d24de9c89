// Record the state of the slot that is not in use, with the record locked.
//
// params:  now ZONED DATETIME, embedder STRING, dimension INTEGER, source STRING
// returns: changed INTEGER (0: not as the record stands)
// mode:    write
// choices: locked (by a write that reads nothing) filling (an embedder fills it, if nothing else is in it) switched (recalls
//          read what that embedder filled; what they read until now is retired) dropping (what it holds goes) empty
//= locked filling dropping
MATCH (s:Schema {name: 'schema'})
//= locked
SET s.other_changed_at = $now
//= filling
//| WHERE s.other_state IS NULL OR (s.other_state = 'filling' AND s.other_embedder = $embedder)
//| SET s.other_state = 'filling', s.other_embedder = $embedder, s.other_dimension = $dimension,
//|     s.other_source = $source
//= switched
//| MATCH (s:Schema {name: 'schema', other_state: 'filling', other_embedder: $embedder})
//| WITH s, s.embedder AS embedder, s.dimension AS dimension, s.source AS source
//| // both in one write: no recall reads a slot under the name of the other embedder
//| SET s.slot = CASE s.slot WHEN 'a' THEN 'b' ELSE 'a' END, s.other_state = 'retiring',
//|     s.embedder = s.other_embedder, s.dimension = s.other_dimension, s.source = s.other_source,
//|     s.other_embedder = embedder, s.other_dimension = dimension, s.other_source = source
//= dropping
//| WHERE s.other_state IS NOT NULL
//| SET s.other_state = 'dropping'
//= empty
//| MATCH (s:Schema {name: 'schema', other_state: 'dropping'})
//| REMOVE s.other_state, s.other_embedder, s.other_dimension, s.other_source, s.other_changed_at
//=
RETURN count(*) AS changed
