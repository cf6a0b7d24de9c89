// Read stored records, a page of one sort by uid.
//
// params:  tenant STRING, whole BOOLEAN, scopes LIST<STRING>, after STRING, limit INTEGER, vectors BOOLEAN (all of
//          them)
// returns: memories: memory MAP of properties, vector LIST<FLOAT> (d) or NULL; edges: uid STRING (of each memory of the
//          page), edges LIST<MAP> {type STRING, to STRING, properties MAP}, votes LIST<MAP> {scope STRING (of the agent),
//          agrees BOOLEAN, at ZONED DATETIME}; versions: version MAP of properties, kept
//          BOOLEAN (its memory is shown); rewards: reward MAP of properties, rewarded LIST<MAP> {memory_uid STRING,
//          properties MAP}; estimates: estimate MAP of properties; credits: credit MAP of properties; cycles: cycle MAP of
//          properties; visits: visit MAP of properties with given LIST<MAP> {uid STRING, rank INTEGER, score FLOAT, order
//          STRING, used BOOLEAN}; steps: step MAP of properties; patches: patch MAP of properties with evidence LIST<MAP>
//          {uid STRING, kind STRING, weight FLOAT} and repaired STRING, kept BOOLEAN (all that it quotes is shown, and none
//          of it is an error of a tool)
// mode:    read
// slots:   a b
// choices: memories (with vectors where the text alone does not give them back; what another has replaced ends as was
//          said of it) edges (that leave a page of memories to others of the same scope; in an export of all of a
//          tenant those from copies to originals too; without what the worker finds by itself; with the votes on each) versions (what
//          memories held before) rewards (with what they did to each Q; without the reasons of what moved a memory that is being
//          erased) estimates (what memories are worth in contexts) credits (that wait for the background, where memory
//          and reward are shown too) cycles visits (with the memories that they were given) steps patches (with what they
//          rest on)
//= memories edges
MATCH (n:Memory)
  USING INDEX n:Memory(uid)
//= versions
//| MATCH (n:Version)
//|   USING INDEX n:Version(uid)
//= rewards
//| MATCH (n:Reward)
//|   USING INDEX n:Reward(uid)
//= estimates
//| MATCH (n:Estimate)
//|   USING INDEX n:Estimate(uid)
//= credits
//| MATCH (n:Credit)
//|   USING INDEX n:Credit(uid)
//= cycles
//| MATCH (n:Cycle)
//|   USING INDEX n:Cycle(uid)
//= visits
//| MATCH (n:CyclePhase)
//|   USING INDEX n:CyclePhase(uid)
//= steps
//| MATCH (n:CycleStep)
//|   USING INDEX n:CycleStep(uid)
//= patches
//| MATCH (n:Patch)
//|   USING INDEX n:Patch(uid)
//=
WHERE n.uid > $after AND n.tenant = $tenant AND ($whole OR n.scope IN $scopes)
//= memories edges
  AND n.state <> 'hidden'
//= estimates
//|   AND EXISTS { MATCH (m:Memory)-[:ESTIMATED]->(n) WHERE m.state <> 'hidden' }
//= credits
//|   AND EXISTS { MATCH (m:Memory {uid: n.memory_uid}) WHERE m.scope = n.scope AND m.state <> 'hidden' }
//|   AND EXISTS { MATCH (w:Reward {uid: n.reward_uid}) WHERE w.tenant = $tenant AND ($whole OR w.scope IN $scopes) }
//=
WITH n ORDER BY n.uid LIMIT $limit
//= memories
RETURN n {.*, valid_to: coalesce(n.held_until, n.valid_to), held_until: null, embedder: n.embedding_a_by, embedding_a: null, embedding_a_by: null,
          embedding_other: null, embedding_other_by: null, context_text: null, folded_text: null, keys: null} AS memory,
       CASE WHEN $vectors OR n.content_type = 'embedding' THEN n.embedding_a END AS vector
ORDER BY memory.uid
//= edges
//| RETURN n.uid AS uid, COLLECT {
//|   MATCH (n)-[edge:REQUIRES|SIMILAR_TO|SOLVED|ATTEMPTED|USED|DERIVED_FROM|PROMOTED_FROM|PUBLISHED_FROM|SUPERSEDES|DISTINCT_FROM|CONTRADICTS]->(other:Memory)
//|   WHERE (other.scope = n.scope OR $whole AND type(edge) = 'PUBLISHED_FROM') AND other.state <> 'hidden'
//|     AND (edge.similarity IS NULL OR type(edge) = 'CONTRADICTS')
//|   RETURN {type: type(edge), to: other.uid, properties: properties(edge)} AS found
//|   ORDER BY found.type, found.to
//| } AS edges, COLLECT {
//|   MATCH (w:Scope)-[v:VOTED]->(n)
//|   WHERE w.tenant = $tenant AND ($whole OR w.scope IN $scopes)
//|   RETURN {scope: w.scope, agrees: v.agrees, at: v.at} AS vote
//|   ORDER BY vote.scope
//| } AS votes
//| ORDER BY uid
//= versions
//| RETURN n {.*} AS version, EXISTS {
//|   MATCH (n)-[:VERSION_OF]->(m:Memory) WHERE m.scope = n.scope AND m.state <> 'hidden'
//| } AS kept
//| ORDER BY version.uid
//= rewards
//| RETURN n {.*, reason: CASE WHEN NOT EXISTS { MATCH (n)-[:REWARDED]->(m:Memory) WHERE m.erased_by IS NOT NULL }
//|                       THEN n.reason END} AS reward, COLLECT {
//|   MATCH (n)-[r:REWARDED]->(m:Memory)
//|   WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
//|   RETURN {memory_uid: m.uid, properties: properties(r)} AS found
//|   ORDER BY found.memory_uid, r.seq
//| } AS rewarded
//| ORDER BY reward.uid
//= estimates
//| RETURN n {.*} AS estimate
//| ORDER BY estimate.uid
//= credits
//| RETURN n {.*} AS credit
//| ORDER BY credit.uid
//= cycles
//| RETURN n {.*} AS cycle
//| ORDER BY cycle.uid
//= visits
//| RETURN n {.*, given: COLLECT {
//|   MATCH (n)-[g:GAVE]->(m:Memory)
//|   WHERE m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden'
//|   RETURN {uid: m.uid, rank: g.rank, score: g.score, order: g.order, used: g.used} AS given
//|   ORDER BY given.rank, given.uid
//| }} AS visit
//| ORDER BY visit.uid
//= steps
//| RETURN n {.*} AS step
//| ORDER BY step.uid
//= patches
//| RETURN n {.*, evidence: COLLECT {
//|   MATCH (n)-[r:RESTS_ON]->(m:Memory)
//|   WITH m, r ORDER BY m.uid
//|   RETURN {uid: m.uid, kind: r.kind, weight: r.weight}
//| }, repaired: head(COLLECT {
//|   MATCH (n)-[:REPAIRS]->(e:Memory)
//|   WHERE e.tenant = $tenant AND ($whole OR e.scope IN $scopes) AND e.state <> 'hidden'
//|   RETURN e.uid
//| })} AS patch, NOT EXISTS {
//|   MATCH (n)-[:RESTS_ON]->(m)
//|   WHERE NOT (m:Memory AND m.tenant = $tenant AND ($whole OR m.scope IN $scopes) AND m.state <> 'hidden')
//| } AS kept
//| ORDER BY patch.uid
//=
