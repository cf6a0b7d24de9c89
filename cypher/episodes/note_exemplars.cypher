// Record the number of active attempts of a locked concept, which is checked again when it has gained some.
//
// params:  concept STRING, kept INTEGER
// returns: scope STRING
// mode:    write
MATCH (c:Memory {uid: $concept})
SET c.exemplars = $kept, c.archives = true
RETURN c.scope AS scope
