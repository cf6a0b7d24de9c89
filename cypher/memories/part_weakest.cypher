// Remove the weakest similarities of memories beyond a maximum.
//
// params:  uids LIST<STRING> (sorted), kept INTEGER (of each memory)
// returns: parted LIST<STRING>, the ends
// mode:    write
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})-[r:SIMILAR_TO]-(o:Memory)
WHERE r.similarity IS NOT NULL
WITH m, r, o ORDER BY r.similarity DESC, o.uid
WITH m, collect(r)[$kept..] AS weakest, collect(o)[$kept..] AS others
WITH collect({m: m, weakest: weakest, others: others}) AS rows
UNWIND rows AS row
UNWIND range(0, size(row.weakest) - 1) AS place
WITH row.m AS m, row.others[place] AS o, row.weakest[place] AS r
DELETE r
WITH collect(DISTINCT m.uid) + collect(DISTINCT o.uid) AS uids
UNWIND uids AS uid
RETURN collect(DISTINCT uid) AS parted
