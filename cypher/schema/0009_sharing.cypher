// Sharing: what an agent has published in a channel, who is leaving one, and patterns of one signature.
//
// down: Takes sharing away: copies, memberships, and what says that something is shared; originals stay as they are.
//= up
CREATE INDEX memory_scope_published_by IF NOT EXISTS
FOR (m:Memory) ON (m.scope, m.published_by, m.uid);
CREATE INDEX member_of_left_at IF NOT EXISTS
FOR ()-[m:MEMBER_OF]-() ON (m.left_at);
CREATE INDEX pattern_scope_signature IF NOT EXISTS
FOR (p:Pattern) ON (p.scope, p.signature, p.uid);
//= down
//| DROP INDEX pattern_scope_signature IF EXISTS;
//| DROP INDEX member_of_left_at IF EXISTS;
//| DROP INDEX memory_scope_published_by IF EXISTS;
//| MATCH (m:Memory)
//| WHERE m.published_at IS NOT NULL
//| CALL (m) { DETACH DELETE m } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH ()-[shared:SHARED_WITH]->()
//| CALL (shared) { DELETE shared } IN TRANSACTIONS OF 5000 ROWS;
//| MATCH ()-[member:MEMBER_OF]->()
//| CALL (member) { DELETE member } IN TRANSACTIONS OF 5000 ROWS;
//=
