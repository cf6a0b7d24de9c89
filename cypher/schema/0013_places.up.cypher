// Places: those in a session that archived memories keep, so that nobody else gets one.
CREATE INDEX memory_session_stood_at IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.session_id, m.stood_at);
