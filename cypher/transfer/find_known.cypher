// Check which records of an import exist, and whether the nodes they name do.
//
// params:  rows LIST<MAP> of what names a record, and of scopes and sessions what else is said, tenant STRING
// returns: place INTEGER (of the row), missing STRING (the field whose node is not there) or NULL, taken BOOLEAN (by
//          another scope), known BOOLEAN
// mode:    read
// choices: scopes (since then or earlier, with all who are said to speak there) sessions (that began no later than is
//          said) tasks versions (of memories that are there) edges (between memories of one scope; of a copy also to
//          another) votes (of agents on memories of channels)
//          memberships (of agents in channels) relationships (between agents)
//          plugins (of agents; one with the same settings that has learned nothing can take what is said) momenta (of which one
//          that has met nothing can take what is said) rewards rewarded (what rewards
//          did to memories) retrievals (what tasks were given) estimates (of memories in contexts) credits (of memories
//          and rewards that are there) cycles visits steps (of cycles that are there) patches (of cycles that are there,
//          with all that they quote)
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row
//= scopes
OPTIONAL MATCH (s:Scope {scope: row.scope})
WHERE s.tenant = $tenant
RETURN place, null AS missing, false AS taken,
       s IS NOT NULL AND coalesce(s.created_at <= row.created_at, true) AND (size(s.speakers) >= 200
         OR all(name IN row.speakers WHERE name IN s.speakers)) AS known
//= sessions
//| OPTIONAL MATCH (s:Session {scope: row.scope, session_id: row.session_id})
//| WHERE s.tenant = $tenant
//| RETURN place, null AS missing, false AS taken,
//|        s IS NOT NULL AND s.started_at <= row.started_at AS known
//= tasks
//| OPTIONAL MATCH (t:Task {scope: row.scope, task_id: row.task_id})
//| WHERE t.tenant = $tenant
//| RETURN place, null AS missing, false AS taken, t IS NOT NULL AS known
//= versions
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.scope = row.scope AND m.tenant = $tenant
//| OPTIONAL MATCH (v:Version {uid: row.uid})
//| RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' END AS missing,
//|        v IS NOT NULL AND (v.scope <> row.scope OR v.memory_uid <> row.memory_uid) AS taken,
//|        v IS NOT NULL AS known
//= edges
//| OPTIONAL MATCH (a:Memory {uid: row.from})
//| WHERE a.tenant = $tenant
//| OPTIONAL MATCH (b:Memory {uid: row.to})
//| WHERE b.tenant = $tenant AND (b.scope = a.scope OR row.edge = 'PUBLISHED_FROM')
//| RETURN place, CASE WHEN a IS NULL THEN 'from' WHEN b IS NULL THEN 'to' END AS missing,
//|        false AS taken, EXISTS { (a)-[edge]->(b) WHERE type(edge) = row.edge } AS known
//= votes
//| OPTIONAL MATCH (a:Scope {scope: row.scope})
//| WHERE a.tenant = $tenant
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.tenant = $tenant AND m.scope STARTS WITH $tenant + '/channel/'
//| RETURN place, CASE WHEN a IS NULL THEN 'scope' WHEN m IS NULL THEN 'memory_uid' END AS missing,
//|        false AS taken, EXISTS { (a)-[:VOTED]->(m) } AS known
//= memberships
//| OPTIONAL MATCH (a:Scope {scope: row.scope})
//| WHERE a.tenant = $tenant
//| OPTIONAL MATCH (b:Scope {scope: row.channel})
//| WHERE b.tenant = $tenant
//| RETURN place, CASE WHEN a IS NULL THEN 'scope' WHEN b IS NULL THEN 'channel' END AS missing,
//|        false AS taken, EXISTS { (a)-[:MEMBER_OF]->(b) } AS known
//= relationships
//| OPTIONAL MATCH (a:Scope {scope: row.scope})
//| WHERE a.tenant = $tenant
//| OPTIONAL MATCH (b:Scope {scope: row.other})
//| WHERE b.tenant = $tenant
//| RETURN place, CASE WHEN a IS NULL THEN 'scope' WHEN b IS NULL THEN 'other' END AS missing,
//|        false AS taken, EXISTS { (a)-[:RELATES_TO]->(b) } AS known
//= plugins
//| OPTIONAL MATCH (p:SurprisePlugin {scope: row.scope})
//| RETURN place, null AS missing, false AS taken,
//|        p.attached_at IS NOT NULL AND NOT (p.settings = row.settings AND p.state = row.blank AND row.learned) AS known
//= momenta
//| OPTIONAL MATCH (m:Momentum {scope: row.scope, context: row.context})
//| RETURN place, null AS missing, false AS taken,
//|        coalesce(m.count, 0) > 0 OR m.outcomes IS NOT NULL AS known
//= rewards
//| OPTIONAL MATCH (w:Reward {uid: row.uid})
//| RETURN place, null AS missing,
//|        w IS NOT NULL AND (w.tenant <> $tenant OR w.scope <> row.scope
//|          OR coalesce(w.task_id, '') <> coalesce(row.task_id, ''))
//|          AS taken, w IS NOT NULL AS known
//= rewarded
//| OPTIONAL MATCH (w:Reward {uid: row.reward_uid})
//| WHERE w.tenant = $tenant
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.tenant = $tenant
//| RETURN place, CASE WHEN w IS NULL THEN 'reward_uid' WHEN m IS NULL THEN 'memory_uid' END AS missing,
//|        false AS taken, EXISTS { (w)-[r:REWARDED]->(m) WHERE r.seq = row.seq } AS known
//= retrievals
//| OPTIONAL MATCH (t:Task {scope: row.scope, task_id: row.task_id})
//| WHERE t.tenant = $tenant
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.tenant = $tenant
//| RETURN place, CASE WHEN t IS NULL THEN 'task_id' WHEN m IS NULL THEN 'memory_uid' END AS missing,
//|        false AS taken, EXISTS { (t)-[r:RETRIEVED]->(m) WHERE r.phase = row.phase } AS known
//= estimates
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.tenant = $tenant AND m.scope = row.scope
//| OPTIONAL MATCH (e:Estimate {memory_uid: row.memory_uid, context: row.context})
//| RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' END AS missing, false AS taken,
//|        e IS NOT NULL AS known
//= credits
//| OPTIONAL MATCH (m:Memory {uid: row.memory_uid})
//| WHERE m.tenant = $tenant AND m.scope = row.scope
//| OPTIONAL MATCH (w:Reward {uid: row.reward_uid})
//| WHERE w.tenant = $tenant
//| OPTIONAL MATCH (c:Credit {uid: row.uid})
//| RETURN place, CASE WHEN m IS NULL THEN 'memory_uid' WHEN w IS NULL THEN 'reward_uid' END AS missing,
//|        c IS NOT NULL AND (c.tenant <> $tenant OR c.memory_uid <> row.memory_uid OR c.reward_uid <> row.reward_uid)
//|          AS taken, c IS NOT NULL AS known
//= cycles
//| OPTIONAL MATCH (c:Cycle {uid: row.uid})
//| OPTIONAL MATCH (named:Cycle {scope: row.scope, cycle_id: row.cycle_id})
//| RETURN place, null AS missing,
//|        c IS NOT NULL AND (c.scope <> row.scope OR c.cycle_id <> row.cycle_id)
//|          OR named IS NOT NULL AND named.uid <> row.uid AS taken, c IS NOT NULL AS known
//= visits steps patches
//| OPTIONAL MATCH (c:Cycle {uid: row.cycle_uid})
//| WHERE c.scope = row.scope AND c.tenant = $tenant
//= visits
//| OPTIONAL MATCH (n:CyclePhase {uid: row.uid})
//| OPTIONAL MATCH (named:CyclePhase {cycle_uid: row.cycle_uid, key: row.key})
//= steps
//| OPTIONAL MATCH (n:CycleStep {uid: row.uid})
//| OPTIONAL MATCH (named:CycleStep {cycle_uid: row.cycle_uid, key: row.key})
//= patches
//| OPTIONAL MATCH (n:Patch {uid: row.uid})
//| OPTIONAL MATCH (named:Patch {cycle_uid: row.cycle_uid, number: row.number})
//= visits steps
//| RETURN place, CASE WHEN c IS NULL THEN 'cycle_uid' END AS missing,
//= patches
//| RETURN place, CASE WHEN c IS NULL THEN 'cycle_uid' WHEN size(row.evidence) > COUNT {
//|          UNWIND row.evidence AS each
//|          MATCH (m:Memory {uid: each.uid})
//|          WHERE m.tenant = $tenant
//|          RETURN m
//|        } THEN 'evidence' END AS missing,
//= visits steps patches
//|        n IS NOT NULL AND n.cycle_uid <> row.cycle_uid OR named IS NOT NULL AND named.uid <> row.uid AS taken,
//|        n IS NOT NULL AS known
//=
ORDER BY place
