// Link tools of a locked scope to the tools called next, with counts and successes.
//
// params:  scope STRING, rows LIST<MAP> {tool STRING, next STRING, uses INTEGER, successes INTEGER}
// returns: joined INTEGER
// mode:    write
UNWIND $rows AS row
MATCH (a:Tool {scope: $scope, key: row.tool})
MATCH (b:Tool {scope: $scope, key: row.next})
MERGE (a)-[r:FOLLOWED_BY]->(b)
SET r.uses = row.uses, r.successes = row.successes
RETURN count(*) AS joined
