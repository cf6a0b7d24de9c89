// Sharing: what an agent has published in a channel, who is leaving one, and patterns of one signature.
CREATE INDEX memory_scope_published_by IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.published_by, m.uid);
CREATE INDEX member_of_left_at IF NOT EXISTS
FOR ()-[m:MEMBER_OF]-() ON (m.left_at);
CREATE INDEX pattern_scope_signature IF NOT EXISTS
FOR (p:Pattern) ON (p.scope, p.signature, p.uid);
