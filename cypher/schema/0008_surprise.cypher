// Surprise: what was expected, what came instead, and what is usual in a scope and context.
//
// down: Takes surprises, predictions and momenta away; memories stay, and fade as any other.
//= up
CREATE CONSTRAINT surprise_uid IF NOT EXISTS
FOR (s:Surprise) REQUIRE s.uid IS UNIQUE;
CREATE CONSTRAINT surprise_scope_event_id IF NOT EXISTS
FOR (s:Surprise) REQUIRE (s.scope, s.event_id) IS UNIQUE;
CREATE CONSTRAINT prediction_scope_prediction_id IF NOT EXISTS
FOR (p:Prediction) REQUIRE (p.scope, p.prediction_id) IS UNIQUE;
CREATE CONSTRAINT prediction_uid IF NOT EXISTS
FOR (p:Prediction) REQUIRE p.uid IS UNIQUE;
CREATE CONSTRAINT momentum_scope_context IF NOT EXISTS
FOR (m:Momentum) REQUIRE (m.scope, m.context) IS UNIQUE;
CREATE INDEX surprise_scope_at IF NOT EXISTS
FOR (s:Surprise) ON (s.scope, s.at);
CREATE INDEX surprise_tenant_at IF NOT EXISTS
FOR (s:Surprise) ON (s.tenant, s.at);
CREATE INDEX surprise_expires_at IF NOT EXISTS
FOR (s:Surprise) ON (s.expires_at);
CREATE INDEX prediction_expires_at IF NOT EXISTS
FOR (p:Prediction) ON (p.expires_at);
CREATE INDEX prediction_scope_context IF NOT EXISTS
FOR (p:Prediction) ON (p.scope, p.context, p.expires_at);
//= down
//| DROP INDEX prediction_scope_context IF EXISTS;
//| DROP INDEX prediction_expires_at IF EXISTS;
//| DROP INDEX surprise_expires_at IF EXISTS;
//| DROP INDEX surprise_tenant_at IF EXISTS;
//| DROP INDEX surprise_scope_at IF EXISTS;
//| DROP CONSTRAINT momentum_scope_context IF EXISTS;
//| DROP CONSTRAINT prediction_uid IF EXISTS;
//| DROP CONSTRAINT prediction_scope_prediction_id IF EXISTS;
//| DROP CONSTRAINT surprise_scope_event_id IF EXISTS;
//| DROP CONSTRAINT surprise_uid IF EXISTS;
//| MATCH (s:Surprise)
//| CALL (s) { DETACH DELETE s } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (p:Prediction)
//| CALL (p) { DETACH DELETE p } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (m:Momentum)
//| CALL (m) { DETACH DELETE m } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH (m:Memory)
//| WHERE m.surprise IS NOT NULL OR m.grace_until IS NOT NULL
//| CALL (m) { REMOVE m.surprise, m.grace_until } IN TRANSACTIONS OF 5000 ROWS;
//=
