// Erasure: what names a user, and what an erasure has marked.
CREATE INDEX memory_user_id IF NOT EXISTS
FOR (m:Memory) ON (m.user_id);
CREATE INDEX memory_erased_by IF NOT EXISTS
FOR (m:Memory) ON (m.erased_by);
