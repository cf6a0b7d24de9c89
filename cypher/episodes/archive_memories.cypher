// Archive locked attempts or problems behind their concept.
//
// params:  concept STRING, rows LIST<MAP> {uid STRING, revision INTEGER} (sorted), active STRING, archived STRING,
//          uids LIST<STRING> (sorted)
// returns: episodes: uid STRING; problems: archived INTEGER
// mode:    write
// choices: episodes (attempts that the concept covers, if they are as they were read) problems (that have no active
//          attempt left)
//= episodes
UNWIND $rows AS row
MATCH (m:Memory {uid: row.uid})-[:USED]->(c:Memory {uid: $concept})
WHERE m.state = 'active' AND coalesce(m.revision, 1) = row.revision
//= problems
//| UNWIND $uids AS uid
//| MATCH (m:Memory {uid: uid})-[:REQUIRES]->(c:Memory {uid: $concept})
//| WHERE m.state = 'active' AND NOT EXISTS { (m)<-[:SOLVED|ATTEMPTED]-(e:Episode) WHERE e.state = 'active' }
//=
MERGE (c)-[covers:PROMOTED_FROM]->(m)
//= episodes
SET covers.revision = row.revision, m.state = 'archived',
//= problems
//| SET covers.revision = coalesce(m.revision, 1), m.state = 'archived',
//=
    m.keys = [key IN m.keys WHERE key <> $active] + $archived
//= episodes
RETURN m.uid AS uid
//= problems
//| RETURN count(*) AS archived
//=
