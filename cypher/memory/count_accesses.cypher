// Add to the access counts of memories, in the order given (sorted, so that two writers never deadlock).
//
// Taking away a property that no memory has locks the node alone: several set at once lock its edges
// before it, and whoever makes an edge to a memory that it has locked stands there the other way round.
//
// params:  rows LIST<MAP> {uid STRING, count INTEGER}, at ZONED DATETIME
// returns: counted INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
REMOVE m.reward_uid
WITH row, m
SET m.access_count = coalesce(m.access_count, 0) + row.count,
    m.retrieval_count = coalesce(m.retrieval_count, 0) + row.count,
    m.last_accessed_at = $at
RETURN count(*) AS counted
