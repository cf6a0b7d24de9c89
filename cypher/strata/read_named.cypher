// Read a node of a scope by its name.
//
// params:  rows LIST<MAP> {scope STRING; surprises: event_id STRING; predictions: prediction_id STRING; momenta: context
//          STRING; tasks: task_id STRING}
// returns: found MAP of properties
// mode:    read
// choices: surprises (of an event that was reported before) predictions momenta (what is usual in a context) plugins (of
//          surprise, of agents, with what they have learned) tasks
UNWIND $rows AS row
//= surprises
MATCH (n:Surprise {scope: row.scope, event_id: row.event_id})
//= predictions
//| MATCH (n:Prediction {scope: row.scope, prediction_id: row.prediction_id})
//= momenta
//| MATCH (n:Momentum {scope: row.scope, context: row.context})
//= plugins
//| MATCH (n:SurprisePlugin {scope: row.scope})
//| WHERE n.attached_at IS NOT NULL
//= tasks
//| MATCH (n:Task {scope: row.scope, task_id: row.task_id})
//=
RETURN n {.*} AS found
ORDER BY found.scope
