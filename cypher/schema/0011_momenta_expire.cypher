// What is usual is forgotten where nothing happens for long.
//
// down: Takes away when what is usual is forgotten; it stays.
//= up
CREATE INDEX momentum_expires_at IF NOT EXISTS
FOR (m:Momentum) ON (m.expires_at);
MATCH (m:Momentum)
WHERE m.expires_at IS NULL
CALL (m) { SET m.expires_at = datetime() + duration('P90D') } IN TRANSACTIONS OF 5000 ROWS;
//= down
//| DROP INDEX momentum_expires_at IF EXISTS;
//| MATCH (m:Momentum)
//| CALL (m) { REMOVE m.expires_at } IN TRANSACTIONS OF 5000 ROWS;
//=
