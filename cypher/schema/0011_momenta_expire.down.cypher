// Takes away when what is usual is forgotten; it stays.
DROP INDEX momentum_expires_at IF EXISTS;
MATCH (m:Momentum)
CALL (m) { REMOVE m.expires_at } IN TRANSACTIONS OF 5000 ROWS;
