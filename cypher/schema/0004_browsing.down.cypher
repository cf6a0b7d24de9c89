// Takes the index of the pages away.
DROP INDEX memory_scope_recorded_at IF EXISTS;
