// Count all memories, and those that came with a vector of the client's.
//
// params:
// returns: memories INTEGER, client_vectors INTEGER
// mode:    read
MATCH (m:Memory)
RETURN count(m) AS memories,
       count(CASE WHEN m.content_type = 'embedding' THEN 1 END) AS client_vectors
