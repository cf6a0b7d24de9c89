// Speakers: memories of a scope by who said them, for profiles.
//
// down: What 0015 made: the index of speakers.
//= up
CREATE INDEX memory_scope_speaker IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.speaker, m.occurred_at);
//= down
//| DROP INDEX memory_scope_speaker IF EXISTS;
//=
