// Read what scopes learned from ended cycles: confidence weights, and the number of cycles that wait for the outer
// loop.
//
// params:  scope STRING, every INTEGER
// returns: learning MAP of properties
// mode:    read
// choices: scope due (those whose outer loop is due)
//= scope
MATCH (l:CycleLearning {scope: $scope})
RETURN l {.*} AS learning
//= due
//| MATCH (l:CycleLearning)
//| WHERE l.waiting >= $every
//| RETURN l {.*} AS learning
//| ORDER BY l.waiting DESC, l.scope
//| LIMIT 20
//=
