// Give a locked scope the name under which it shares what it counted.
//
// params:  scope STRING, source STRING
// returns: source STRING
// mode:    write
MATCH (k:KnowledgeBase {scope: $scope})
SET k.source = $source
RETURN k.source AS source
