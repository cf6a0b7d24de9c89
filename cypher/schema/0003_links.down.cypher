// Takes the indexes and the constraint away; terms and links stay, and are compared anew after an up.
DROP INDEX memory_scope_unlinked_since IF EXISTS;
DROP INDEX memory_unlinked_since IF EXISTS;
DROP CONSTRAINT term_scope_name IF EXISTS;
