// Memories with their indexes, sessions, tasks, rewards and owners of scopes.
//
// down: Takes the indexes and constraints away; nodes stay.
//= up
CREATE CONSTRAINT memory_uid IF NOT EXISTS
FOR (m:Memory) REQUIRE m.uid IS UNIQUE;
CREATE CONSTRAINT memory_scope_external_id IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.scope, m.external_id) IS UNIQUE;
CREATE CONSTRAINT memory_scope_content_hash IF NOT EXISTS
FOR (m:Memory) REQUIRE (m.scope, m.content_hash) IS UNIQUE;
CREATE CONSTRAINT version_uid IF NOT EXISTS
FOR (v:Version) REQUIRE v.uid IS UNIQUE;
CREATE CONSTRAINT session_scope_session_id IF NOT EXISTS
FOR (s:Session) REQUIRE (s.scope, s.session_id) IS UNIQUE;
CREATE CONSTRAINT task_scope_task_id IF NOT EXISTS
FOR (t:Task) REQUIRE (t.scope, t.task_id) IS UNIQUE;
CREATE CONSTRAINT reward_uid IF NOT EXISTS
FOR (r:Reward) REQUIRE r.uid IS UNIQUE;
CREATE CONSTRAINT scope_scope IF NOT EXISTS
FOR (s:Scope) REQUIRE s.scope IS UNIQUE;
CREATE CONSTRAINT tenant_name IF NOT EXISTS
FOR (t:Tenant) REQUIRE t.tenant IS UNIQUE;
CREATE CONSTRAINT api_key_hash IF NOT EXISTS
FOR (k:ApiKey) REQUIRE k.hash IS UNIQUE;
CREATE INDEX reward_scope_task_id IF NOT EXISTS
FOR (r:Reward) ON (r.scope, r.task_id);
CREATE INDEX memory_session_sequence IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.session_id, m.sequence);
CREATE INDEX memory_stratum_recorded_at IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.stratum, m.recorded_at);
CREATE INDEX memory_scope_q_value IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.q_value);
CREATE INDEX memory_channel_q_value IF NOT EXISTS
FOR (m:Memory) ON (m.channel_id, m.q_value);
CREATE INDEX memory_importance_last_accessed_at IF NOT EXISTS
FOR (m:Memory) ON (m.importance, m.last_accessed_at);
CREATE INDEX memory_expires_at IF NOT EXISTS
FOR (m:Memory) ON (m.expires_at);
CREATE INDEX task_expires_at IF NOT EXISTS
FOR (t:Task) ON (t.expires_at);
CREATE FULLTEXT INDEX memory_text IF NOT EXISTS
FOR (m:Memory) ON EACH [m.text, m.context_text, m.folded_text, m.scope_key, m.keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
CYPHER 25 CREATE VECTOR INDEX memory_embedding_a IF NOT EXISTS
FOR (m:Memory) ON (m.embedding_a)
WITH [m.scope, m.kind, m.stratum, m.state, m.importance, m.occurred_at, m.recorded_at,
      m.valid_from, m.valid_to, m.expires_at, m.agent_key, m.session_key, m.domain_key,
      m.model_key, m.phase, m.correct]
OPTIONS $vector_options;
//= down
//| DROP INDEX reward_scope_task_id IF EXISTS;
//| DROP INDEX memory_embedding_a IF EXISTS;
//| DROP INDEX memory_text IF EXISTS;
//| DROP INDEX task_expires_at IF EXISTS;
//| DROP INDEX memory_expires_at IF EXISTS;
//| DROP INDEX memory_importance_last_accessed_at IF EXISTS;
//| DROP INDEX memory_channel_q_value IF EXISTS;
//| DROP INDEX memory_scope_q_value IF EXISTS;
//| DROP INDEX memory_stratum_recorded_at IF EXISTS;
//| DROP INDEX memory_session_sequence IF EXISTS;
//| DROP CONSTRAINT api_key_hash IF EXISTS;
//| DROP CONSTRAINT tenant_name IF EXISTS;
//| DROP CONSTRAINT scope_scope IF EXISTS;
//| DROP CONSTRAINT reward_uid IF EXISTS;
//| DROP CONSTRAINT task_scope_task_id IF EXISTS;
//| DROP CONSTRAINT session_scope_session_id IF EXISTS;
//| DROP CONSTRAINT version_uid IF EXISTS;
//| DROP CONSTRAINT memory_scope_content_hash IF EXISTS;
//| DROP CONSTRAINT memory_scope_external_id IF EXISTS;
//| DROP CONSTRAINT memory_uid IF EXISTS;
//=
