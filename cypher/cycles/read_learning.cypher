// Read what a scope's ended cycles taught: the weights of a confidence.
//
// params:  scope STRING
// returns: learning MAP of properties
// mode:    read
MATCH (l:CycleLearning {scope: $scope})
RETURN l {.*} AS learning
