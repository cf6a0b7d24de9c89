// Write events that were gathered.
//
// params:  events LIST<MAP>
// returns: saved INTEGER
// mode:    write
UNWIND $events AS row
CREATE (e:Event)
SET e = row
RETURN count(*) AS saved
