// Strata: the moves of memories between them, by run, by memory and in time.
CREATE CONSTRAINT transition_uid IF NOT EXISTS
FOR (t:Transition) REQUIRE t.uid IS UNIQUE;
CREATE INDEX transition_run_uid IF NOT EXISTS
FOR (t:Transition) ON (t.run_uid, t.memory_uid);
CREATE INDEX transition_memory_uid IF NOT EXISTS
FOR (t:Transition) ON (t.memory_uid);
CREATE INDEX transition_at IF NOT EXISTS
FOR (t:Transition) ON (t.at);
