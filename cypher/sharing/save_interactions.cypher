// Record interactions of locked agents: trust moves towards the outcome, and both sides count it.
//
// Each side has its own relationship; an outcome only moves the trust of its reporter.
//
// params:  rows LIST<MAP> {agent STRING, other STRING (scopes), outcome FLOAT [0, 1], step FLOAT [0, 1]},
//          first FLOAT [0, 1] (trust at first), now ZONED DATETIME
// returns: agent STRING, other STRING (scopes), trust FLOAT, trusted FLOAT (by the other),
//          interactions INTEGER, last_at ZONED DATETIME
// mode:    write
UNWIND $rows AS row
MATCH (a:Scope {scope: row.agent})
MATCH (b:Scope {scope: row.other})
MERGE (a)-[r:RELATES_TO]->(b)
ON CREATE SET r.trust = $first, r.interactions = 0
MERGE (b)-[back:RELATES_TO]->(a)
ON CREATE SET back.trust = $first, back.interactions = 0
SET r.trust = r.trust + row.step * (row.outcome - r.trust),
    r.interactions = r.interactions + 1, r.last_at = $now,
    back.interactions = back.interactions + 1, back.last_at = $now
RETURN a.scope AS agent, b.scope AS other, r.trust AS trust, back.trust AS trusted,
       r.interactions AS interactions, r.last_at AS last_at
ORDER BY agent, other
