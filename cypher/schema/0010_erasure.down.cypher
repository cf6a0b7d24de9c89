// What 0010 made: the indexes of erasure.
DROP INDEX memory_user_id IF EXISTS;
DROP INDEX memory_erased_by IF EXISTS;
