// Link the nodes of an import.
//
// params:  rows LIST<MAP> of what names both ends and, where there may be several, the tie, with its properties MAP
//          (sorted), tenant STRING
// returns: saved INTEGER
// mode:    write
// choices: memberships (of agents in channels, since when they were it) relationships (between agents) votes (of agents on
//          memories) retrievals (the memories that tasks were given) rewarded (what rewards did to memories; the Qs themselves stay)
UNWIND $rows AS row
//= memberships relationships votes
MATCH (a:Scope {scope: row.scope})
//= retrievals
//| MATCH (a:Task {scope: row.scope, task_id: row.task_id})
//= rewarded
//| MATCH (a:Reward {uid: row.reward_uid})
//=
WHERE a.tenant = $tenant
//= memberships
MATCH (b:Scope {scope: row.channel})
//= relationships
//| MATCH (b:Scope {scope: row.other})
//= retrievals rewarded votes
//| MATCH (b:Memory {uid: row.memory_uid})
//=
WHERE b.tenant = $tenant
//= memberships
MERGE (a)-[r:MEMBER_OF]->(b)
//= relationships
//| MERGE (a)-[r:RELATES_TO]->(b)
//= memberships relationships
ON CREATE SET r = row.properties
//= votes
//| MERGE (a)-[r:VOTED]->(b)
//| ON CREATE SET r = row.properties, r.scope = b.scope
//= retrievals
//| MERGE (a)-[r:RETRIEVED {phase: row.phase}]->(b)
//= rewarded
//| MERGE (a)-[r:REWARDED {seq: row.seq}]->(b)
//= retrievals rewarded
//| SET r = row.properties
//=
RETURN count(*) AS saved
