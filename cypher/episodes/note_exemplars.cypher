// Note how many attempts stand for a locked concept, so that it is looked at again when it has gained some.
//
// params:  concept STRING, kept INTEGER
// returns: scope STRING
// mode:    write
MATCH (c:Memory {uid: $concept})
SET c.exemplars = $kept, c.archives = true
RETURN c.scope AS scope
