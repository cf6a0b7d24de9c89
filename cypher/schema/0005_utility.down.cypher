// Takes utility away: indexes, rewards, estimates, events, configuration and the properties; memories stay.
DROP INDEX config_change_tenant_changed_at IF EXISTS;
DROP CONSTRAINT config_change_uid IF EXISTS;
DROP CONSTRAINT utility_config_tenant IF EXISTS;
DROP CONSTRAINT event_clock_tenant IF EXISTS;
DROP INDEX event_expires_at IF EXISTS;
DROP INDEX event_waiting IF EXISTS;
DROP INDEX event_tenant_seq IF EXISTS;
DROP CONSTRAINT event_uid IF EXISTS;
DROP CONSTRAINT estimate_memory_uid_context IF EXISTS;
DROP CONSTRAINT estimate_uid IF EXISTS;
DROP INDEX credit_memory_uid IF EXISTS;
DROP INDEX credit_reward_uid IF EXISTS;
DROP CONSTRAINT credit_uid IF EXISTS;
DROP INDEX memory_agent_q_value IF EXISTS;
DROP INDEX memory_q_value IF EXISTS;
MATCH (n:Credit)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:Estimate)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:Event)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:EventClock)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:UtilityConfig)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:ConfigChange)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
MATCH (n:Reward)
CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS;
MATCH (m:Memory)
WHERE m.q_value IS NOT NULL OR m.q_count IS NOT NULL OR m.initialized_from IS NOT NULL
CALL (m) {
  REMOVE m.q_value, m.q_count, m.q_m2, m.q_left, m.q_init, m.q_seq, m.q_base, m.q_base_left,
         m.q_base_m2, m.q_base_count, m.q_base_seq, m.q_base_at, m.initialized_from,
         m.retrieval_count, m.success_count, m.failure_count, m.last_reward_at
} IN TRANSACTIONS OF 5000 ROWS;
