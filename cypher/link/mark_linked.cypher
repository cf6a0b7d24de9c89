// Note that memories have their links; one that nothing has taught begins with what resembles it is worth.
//
// params:  rows LIST<MAP> {uid STRING, q_init FLOAT or NULL} (sorted)
// returns: linked INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})
REMOVE m.unlinked_since
FOREACH (_ IN CASE WHEN row.q_init IS NOT NULL AND coalesce(m.q_count, 0) = 0
                    AND coalesce(m.q_seq, 0) = 0
                    AND coalesce(m.initialized_from, 'default') = 'default' THEN [1] ELSE [] END |
  SET m.q_init = row.q_init, m.q_value = row.q_init, m.initialized_from = 'transfer')
RETURN count(*) AS linked
