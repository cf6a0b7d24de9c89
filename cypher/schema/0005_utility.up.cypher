// Utility: indexes on Q, credits that wait, estimates by context, events, configuration; what lacks a Q gets one.
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
