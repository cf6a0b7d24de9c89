// Utility: indexes on Q, credits that wait, estimates by context, events, configuration; what lacks a Q gets one.
//
// down: Takes utility away: indexes, rewards, estimates, events, configuration and the properties; memories stay.
//= up
CREATE INDEX memory_q_value IF NOT EXISTS
FOR (m:Memory) ON (m.q_value);
CREATE INDEX memory_agent_q_value IF NOT EXISTS
FOR (m:Memory) ON (m.agent_id, m.q_value);
CREATE CONSTRAINT credit_uid IF NOT EXISTS
FOR (c:Credit) REQUIRE c.uid IS UNIQUE;
CREATE INDEX credit_reward_uid IF NOT EXISTS
FOR (c:Credit) ON (c.reward_uid);
CREATE INDEX credit_memory_uid IF NOT EXISTS
FOR (c:Credit) ON (c.memory_uid);
CREATE CONSTRAINT estimate_uid IF NOT EXISTS
FOR (e:Estimate) REQUIRE e.uid IS UNIQUE;
CREATE CONSTRAINT estimate_memory_uid_context IF NOT EXISTS
FOR (e:Estimate) REQUIRE (e.memory_uid, e.context) IS UNIQUE;
CREATE CONSTRAINT event_uid IF NOT EXISTS
FOR (e:Event) REQUIRE e.uid IS UNIQUE;
CREATE INDEX event_tenant_seq IF NOT EXISTS
FOR (e:Event) ON (e.tenant, e.seq);
CREATE INDEX event_waiting IF NOT EXISTS
FOR (e:Event) ON (e.waiting, e.uid);
CREATE INDEX event_expires_at IF NOT EXISTS
FOR (e:Event) ON (e.expires_at);
CREATE CONSTRAINT event_clock_tenant IF NOT EXISTS
FOR (c:EventClock) REQUIRE c.tenant IS UNIQUE;
CREATE CONSTRAINT utility_config_tenant IF NOT EXISTS
FOR (c:UtilityConfig) REQUIRE c.tenant IS UNIQUE;
CREATE CONSTRAINT config_change_uid IF NOT EXISTS
FOR (c:ConfigChange) REQUIRE c.uid IS UNIQUE;
CREATE INDEX config_change_tenant_changed_at IF NOT EXISTS
FOR (c:ConfigChange) ON (c.tenant, c.changed_at);
MATCH (m:Memory)
WHERE m.q_value IS NULL OR m.q_count IS NULL OR m.q_m2 IS NULL OR m.initialized_from IS NULL
   OR m.retrieval_count IS NULL OR m.success_count IS NULL OR m.failure_count IS NULL
CALL (m) {
  SET m.q_value = coalesce(m.q_value, 0.5), m.q_count = coalesce(m.q_count, 0),
      m.q_m2 = coalesce(m.q_m2, 0.0), m.initialized_from = coalesce(m.initialized_from, 'default'),
      m.retrieval_count = coalesce(m.retrieval_count, 0),
      m.success_count = coalesce(m.success_count, 0), m.failure_count = coalesce(m.failure_count, 0)
} IN TRANSACTIONS OF 5000 ROWS;
MATCH (m:Memory)
WHERE m.q_count > 0 AND m.q_left IS NULL
CALL (m) {
  SET m.q_left = 0.9 ^ m.q_count, m.q_seq = m.q_count
} IN TRANSACTIONS OF 5000 ROWS;
//= down
//| DROP INDEX config_change_tenant_changed_at IF EXISTS;
//| DROP CONSTRAINT config_change_uid IF EXISTS;
//| DROP CONSTRAINT utility_config_tenant IF EXISTS;
//| DROP CONSTRAINT event_clock_tenant IF EXISTS;
//| DROP INDEX event_expires_at IF EXISTS;
//| DROP INDEX event_waiting IF EXISTS;
//| DROP INDEX event_tenant_seq IF EXISTS;
//| DROP CONSTRAINT event_uid IF EXISTS;
//| DROP CONSTRAINT estimate_memory_uid_context IF EXISTS;
//| DROP CONSTRAINT estimate_uid IF EXISTS;
//| DROP INDEX credit_memory_uid IF EXISTS;
//| DROP INDEX credit_reward_uid IF EXISTS;
//| DROP CONSTRAINT credit_uid IF EXISTS;
//| DROP INDEX memory_agent_q_value IF EXISTS;
//| DROP INDEX memory_q_value IF EXISTS;
//| MATCH (n:Credit)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:Estimate)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:Event)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:EventClock)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:UtilityConfig)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:ConfigChange)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (n:Reward)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS;
//| MATCH (m:Memory)
//| WHERE m.q_value IS NOT NULL OR m.q_count IS NOT NULL OR m.initialized_from IS NOT NULL
//| CALL (m) {
//|   REMOVE m.q_value, m.q_count, m.q_m2, m.q_left, m.q_init, m.q_seq, m.q_base, m.q_base_left,
//|          m.q_base_m2, m.q_base_count, m.q_base_seq, m.q_base_at, m.initialized_from,
//|          m.retrieval_count, m.success_count, m.failure_count, m.last_reward_at
//| } IN TRANSACTIONS OF 5000 ROWS;
//=
