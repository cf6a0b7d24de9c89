// A page of one kind of nodes by uid, and those without relationships.
//
// params:  after STRING, limit INTEGER
// returns: last STRING or NULL, seen INTEGER, LIST<STRING> under the name of the choice
// mode:    read
// choices: versions (of no memory) estimates (of no memory) credits (whose memory or reward is gone) transitions (moves
//          between strata, of no memory) surprises (whose memory is gone) rewards (that no memory, credit or task knows
//          of; what was given by hand stays) visits (of no cycle) steps (of no cycle) patches (of no cycle)
//= versions
MATCH (n:Version)
//= estimates
//| MATCH (n:Estimate)
//= credits
//| MATCH (n:Credit)
//= transitions
//| MATCH (n:Transition)
//= surprises
//| MATCH (n:Surprise)
//= rewards
//| MATCH (n:Reward)
//= visits
//| MATCH (n:CyclePhase)
//= steps
//| MATCH (n:CycleStep)
//= patches
//| MATCH (n:Patch)
//=
WHERE n.uid > $after
WITH n ORDER BY n.uid LIMIT $limit
RETURN max(n.uid) AS last, count(n) AS seen,
//= versions
       collect(CASE WHEN NOT EXISTS { (n)-[:VERSION_OF]->(:Memory) } THEN n.uid END) AS versions
//= estimates
//|        collect(CASE WHEN NOT EXISTS { (:Memory)-[:ESTIMATED]->(n) } THEN n.uid END) AS estimates
//= credits
//|        collect(CASE WHEN NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) }
//|          OR NOT EXISTS { MATCH (w:Reward {uid: n.reward_uid}) } THEN n.uid END) AS credits
//= transitions
//|        collect(CASE WHEN NOT EXISTS { MATCH (m:Memory {uid: n.memory_uid}) } THEN n.uid END) AS transitions
//= surprises
//|        collect(CASE WHEN n.memory_uid IS NOT NULL AND NOT EXISTS { (:Memory)-[:SURPRISED_BY]->(n) }
//|          THEN n.uid END) AS surprises
//= rewards
//|        collect(CASE WHEN NOT coalesce(n.kind, 'outcome') IN ['manual', 'revert']
//|          AND NOT EXISTS { (n)-[:REWARDED]->(:Memory) }
//|          AND NOT EXISTS { MATCH (c:Credit {reward_uid: n.uid}) }
//|          AND NOT EXISTS { MATCH (t:Task {scope: n.scope, task_id: n.task_id}) } THEN n.uid END) AS rewards
//= visits
//|        collect(CASE WHEN NOT EXISTS { (:Cycle)-[:HAS_PHASE]->(n) } THEN n.uid END) AS visits
//= steps
//|        collect(CASE WHEN NOT EXISTS { (:Cycle)-[:HAS_STEP]->(n) } THEN n.uid END) AS steps
//= patches
//|        collect(CASE WHEN NOT EXISTS { (n)-[:PATCHES]->(:Cycle) } THEN n.uid END) AS patches
//=
