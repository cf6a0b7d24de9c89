// Write properties of locked nodes; nulls remove them.
//
// params:  rows LIST<MAP> {values MAP; memories: uid STRING; momenta: scope STRING, context STRING; plugins: scope STRING}
//          (sorted), uid STRING, scope STRING, values MAP
// returns: saved INTEGER
// mode:    write
// choices: memories momenta (what is usual in scopes and contexts) plugins (what surprise plugins have learned) patch
//          base (of what a scope has learned)
//= memories momenta plugins
UNWIND $rows AS row
//= memories
MATCH (n:Memory {uid: row.uid})
//= momenta
//| MATCH (n:Momentum {scope: row.scope, context: row.context})
//= plugins
//| MATCH (n:SurprisePlugin {scope: row.scope})
//= memories momenta plugins
SET n += row.values
//= patch
//| MATCH (n:Patch {uid: $uid})
//= base
//| MATCH (n:KnowledgeBase {scope: $scope})
//= patch base
//| SET n += $values
//=
RETURN count(*) AS saved
