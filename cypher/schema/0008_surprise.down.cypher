// Takes surprises, predictions and momenta away; memories stay, and fade as any other.
DROP INDEX prediction_scope_context IF EXISTS;
DROP INDEX prediction_expires_at IF EXISTS;
DROP INDEX surprise_expires_at IF EXISTS;
DROP INDEX surprise_tenant_at IF EXISTS;
DROP INDEX surprise_scope_at IF EXISTS;
DROP CONSTRAINT momentum_scope_context IF EXISTS;
DROP CONSTRAINT prediction_uid IF EXISTS;
DROP CONSTRAINT prediction_scope_prediction_id IF EXISTS;
DROP CONSTRAINT surprise_scope_event_id IF EXISTS;
DROP CONSTRAINT surprise_uid IF EXISTS;
MATCH (s:Surprise)
CALL (s) { DETACH DELETE s } IN TRANSACTIONS OF 5000 ROWS;
MATCH (p:Prediction)
CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 5000 ROWS;
MATCH (m:Momentum)
CALL (m) { DETACH DELETE m } IN TRANSACTIONS OF 5000 ROWS;
MATCH (m:Memory)
WHERE m.surprise IS NOT NULL OR m.grace_until IS NOT NULL
CALL (m) { REMOVE m.surprise, m.grace_until } IN TRANSACTIONS OF 5000 ROWS;
