// Knowledge of an agent: its memories by kind, the most useful first
//
// params:  scope STRING (such as agent/planner; '' is every scope)
// returns: kind STRING, memories INTEGER, mean_q FLOAT [0, 1], mean_importance FLOAT [1, 5],
//          most_useful LIST<STRING> (three texts)
// mode:    read
//
// :params {scope: ''}
MATCH (m:Memory)
WHERE m.scope ENDS WITH $scope AND m.state = 'active'
WITH m
ORDER BY m.q_value DESC, m.importance DESC, m.uid
RETURN m.kind AS kind, count(*) AS memories, round(avg(m.q_value), 3) AS mean_q,
       round(avg(m.importance), 2) AS mean_importance,
       collect(left(m.text, 120))[..3] AS most_useful
ORDER BY memories DESC, kind
