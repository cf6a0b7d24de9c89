// Events are found by whose they are, and those that can name memories apart from the rest; clusters are found by scope,
// surprises and predictions by whom they are about. So an erasure costs what it erases, however much there is beside it.
//
// down: Erasures find no index for events, and fail.
//= up
CREATE INDEX event_scope IF NOT EXISTS
FOR (e:Event) ON (e.scope);
CREATE INDEX event_agent_id IF NOT EXISTS
FOR (e:Event) ON (e.agent_id);
CREATE INDEX event_tenant_name IF NOT EXISTS
FOR (e:Event) ON (e.tenant, e.name, e.uid);
CREATE INDEX cluster_scope IF NOT EXISTS
FOR (c:Cluster) ON (c.scope);
CREATE INDEX surprise_agent_id IF NOT EXISTS
FOR (s:Surprise) ON (s.agent_id);
CREATE INDEX surprise_user_id IF NOT EXISTS
FOR (s:Surprise) ON (s.user_id);
CREATE INDEX prediction_user_id IF NOT EXISTS
FOR (p:Prediction) ON (p.user_id);
CREATE INDEX config_change_actor IF NOT EXISTS
FOR (c:ConfigChange) ON (c.actor);
//= down
//| DROP INDEX config_change_actor IF EXISTS;
//| DROP INDEX prediction_user_id IF EXISTS;
//| DROP INDEX surprise_user_id IF EXISTS;
//| DROP INDEX surprise_agent_id IF EXISTS;
//| DROP INDEX cluster_scope IF EXISTS;
//| DROP INDEX event_tenant_name IF EXISTS;
//| DROP INDEX event_agent_id IF EXISTS;
//| DROP INDEX event_scope IF EXISTS;
//=
