// Knowledge from executions: tools, patterns, insights, preferences.
//
// down: Takes away all that was learned from executions, stated preferences and insights too.
//= up
CREATE CONSTRAINT knowledge_base_scope IF NOT EXISTS
FOR (n:KnowledgeBase) REQUIRE n.scope IS UNIQUE;
CREATE CONSTRAINT execution_scope_task_id IF NOT EXISTS
FOR (n:Execution) REQUIRE (n.scope, n.task_id) IS UNIQUE;
CREATE CONSTRAINT tool_scope_key IF NOT EXISTS
FOR (n:Tool) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT tool_context_scope_key IF NOT EXISTS
FOR (n:ToolContext) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT tool_error_scope_key IF NOT EXISTS
FOR (n:ToolError) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT tool_parameter_scope_key IF NOT EXISTS
FOR (n:ToolParameter) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT memory_pattern_scope_key IF NOT EXISTS
FOR (n:MemoryPattern) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT memory_pattern_uid IF NOT EXISTS
FOR (n:MemoryPattern) REQUIRE n.uid IS UNIQUE;
CREATE CONSTRAINT learned_insight_scope_key IF NOT EXISTS
FOR (n:LearnedInsight) REQUIRE (n.scope, n.key) IS UNIQUE;
CREATE CONSTRAINT learned_insight_uid IF NOT EXISTS
FOR (n:LearnedInsight) REQUIRE n.uid IS UNIQUE;
CREATE CONSTRAINT user_preference_uid IF NOT EXISTS
FOR (n:UserPreference) REQUIRE n.uid IS UNIQUE;
CREATE CONSTRAINT correction_uid IF NOT EXISTS
FOR (n:Correction) REQUIRE n.uid IS UNIQUE;
CREATE INDEX knowledge_base_patterns_at IF NOT EXISTS
FOR (n:KnowledgeBase) ON (n.patterns_at);
CREATE INDEX knowledge_base_tools_at IF NOT EXISTS
FOR (n:KnowledgeBase) ON (n.tools_at);
CREATE INDEX knowledge_base_insights_at IF NOT EXISTS
FOR (n:KnowledgeBase) ON (n.insights_at);
CREATE INDEX execution_expires_at IF NOT EXISTS
FOR (n:Execution) ON (n.expires_at);
CREATE INDEX execution_scope_occurred_at IF NOT EXISTS
FOR (n:Execution) ON (n.scope, n.occurred_at);
CREATE INDEX execution_scope_session_id IF NOT EXISTS
FOR (n:Execution) ON (n.scope, n.session_id);
CREATE INDEX execution_tenant_agent_id IF NOT EXISTS
FOR (n:Execution) ON (n.tenant, n.agent_id);
CREATE INDEX execution_tenant_user_id IF NOT EXISTS
FOR (n:Execution) ON (n.tenant, n.user_id);
CREATE INDEX tool_last_used IF NOT EXISTS
FOR (n:Tool) ON (n.last_used);
CREATE INDEX tool_context_last_used IF NOT EXISTS
FOR (n:ToolContext) ON (n.last_used);
CREATE INDEX tool_context_scope_context IF NOT EXISTS
FOR (n:ToolContext) ON (n.scope, n.context);
CREATE INDEX tool_context_scope_tool IF NOT EXISTS
FOR (n:ToolContext) ON (n.scope, n.tool);
CREATE INDEX tool_error_last_used IF NOT EXISTS
FOR (n:ToolError) ON (n.last_used);
CREATE INDEX tool_error_scope_tool IF NOT EXISTS
FOR (n:ToolError) ON (n.scope, n.tool);
CREATE INDEX tool_parameter_last_used IF NOT EXISTS
FOR (n:ToolParameter) ON (n.last_used);
CREATE INDEX tool_parameter_scope_tool IF NOT EXISTS
FOR (n:ToolParameter) ON (n.scope, n.tool);
CREATE INDEX memory_pattern_last_used IF NOT EXISTS
FOR (n:MemoryPattern) ON (n.last_used);
CREATE INDEX memory_pattern_scope_general_length IF NOT EXISTS
FOR (n:MemoryPattern) ON (n.scope, n.general, n.length);
CREATE INDEX memory_pattern_scope_type_uses IF NOT EXISTS
FOR (n:MemoryPattern) ON (n.scope, n.pattern_type, n.uses);
CREATE INDEX memory_pattern_scope_type_success_rate IF NOT EXISTS
FOR (n:MemoryPattern) ON (n.scope, n.pattern_type, n.success_rate);
CREATE INDEX learned_insight_scope_confidence IF NOT EXISTS
FOR (n:LearnedInsight) ON (n.scope, n.confidence);
CREATE INDEX learned_insight_scope_type_validated IF NOT EXISTS
FOR (n:LearnedInsight) ON (n.scope, n.insight_type, n.validated);
CREATE INDEX learned_insight_tenant_user_id IF NOT EXISTS
FOR (n:LearnedInsight) ON (n.tenant, n.user_id);
CREATE INDEX user_preference_scope_valid_to IF NOT EXISTS
FOR (n:UserPreference) ON (n.scope, n.valid_to);
CREATE INDEX user_preference_scope_session_id IF NOT EXISTS
FOR (n:UserPreference) ON (n.scope, n.session_id);
CREATE INDEX user_preference_tenant_user_id IF NOT EXISTS
FOR (n:UserPreference) ON (n.tenant, n.user_id);
CREATE INDEX user_preference_expires_at IF NOT EXISTS
FOR (n:UserPreference) ON (n.expires_at);
CREATE INDEX correction_scope_at IF NOT EXISTS
FOR (n:Correction) ON (n.scope, n.at);
CREATE INDEX correction_tenant_user_id IF NOT EXISTS
FOR (n:Correction) ON (n.tenant, n.user_id);
CREATE FULLTEXT INDEX knowledge_text IF NOT EXISTS
FOR (n:MemoryPattern|LearnedInsight|Tool) ON EACH [n.words, n.scope_key]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
//= down
//| DROP INDEX knowledge_text IF EXISTS;
//| DROP INDEX correction_tenant_user_id IF EXISTS;
//| DROP INDEX correction_scope_at IF EXISTS;
//| DROP INDEX user_preference_expires_at IF EXISTS;
//| DROP INDEX user_preference_tenant_user_id IF EXISTS;
//| DROP INDEX user_preference_scope_session_id IF EXISTS;
//| DROP INDEX user_preference_scope_valid_to IF EXISTS;
//| DROP INDEX learned_insight_tenant_user_id IF EXISTS;
//| DROP INDEX learned_insight_scope_type_validated IF EXISTS;
//| DROP INDEX learned_insight_scope_confidence IF EXISTS;
//| DROP INDEX memory_pattern_scope_type_success_rate IF EXISTS;
//| DROP INDEX memory_pattern_scope_type_uses IF EXISTS;
//| DROP INDEX memory_pattern_scope_general_length IF EXISTS;
//| DROP INDEX memory_pattern_last_used IF EXISTS;
//| DROP INDEX tool_parameter_scope_tool IF EXISTS;
//| DROP INDEX tool_parameter_last_used IF EXISTS;
//| DROP INDEX tool_error_scope_tool IF EXISTS;
//| DROP INDEX tool_error_last_used IF EXISTS;
//| DROP INDEX tool_context_scope_tool IF EXISTS;
//| DROP INDEX tool_context_scope_context IF EXISTS;
//| DROP INDEX tool_context_last_used IF EXISTS;
//| DROP INDEX tool_last_used IF EXISTS;
//| DROP INDEX execution_tenant_agent_id IF EXISTS;
//| DROP INDEX execution_tenant_user_id IF EXISTS;
//| DROP INDEX execution_scope_session_id IF EXISTS;
//| DROP INDEX execution_scope_occurred_at IF EXISTS;
//| DROP INDEX execution_expires_at IF EXISTS;
//| DROP INDEX knowledge_base_insights_at IF EXISTS;
//| DROP INDEX knowledge_base_tools_at IF EXISTS;
//| DROP INDEX knowledge_base_patterns_at IF EXISTS;
//| DROP CONSTRAINT correction_uid IF EXISTS;
//| DROP CONSTRAINT user_preference_uid IF EXISTS;
//| DROP CONSTRAINT learned_insight_uid IF EXISTS;
//| DROP CONSTRAINT learned_insight_scope_key IF EXISTS;
//| DROP CONSTRAINT memory_pattern_uid IF EXISTS;
//| DROP CONSTRAINT memory_pattern_scope_key IF EXISTS;
//| DROP CONSTRAINT tool_parameter_scope_key IF EXISTS;
//| DROP CONSTRAINT tool_error_scope_key IF EXISTS;
//| DROP CONSTRAINT tool_context_scope_key IF EXISTS;
//| DROP CONSTRAINT tool_scope_key IF EXISTS;
//| DROP CONSTRAINT execution_scope_task_id IF EXISTS;
//| DROP CONSTRAINT knowledge_base_scope IF EXISTS;
//| MATCH (n:KnowledgeBase|Execution|Tool|ToolContext|ToolError|ToolParameter|MemoryPattern|LearnedInsight|UserPreference|Correction)
//| CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS;
//=
