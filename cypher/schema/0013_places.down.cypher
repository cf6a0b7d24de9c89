// What 0013 made: the index of places that archived memories keep.
DROP INDEX memory_session_stood_at IF EXISTS;
