// Places: those in a session that archived memories keep, so that nobody else gets one.
//
// down: What 0013 made: the index of places that archived memories keep.
//= up
CREATE INDEX memory_session_stood_at IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.session_id, m.stood_at);
//= down
//| DROP INDEX memory_session_stood_at IF EXISTS;
//=
