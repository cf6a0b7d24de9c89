// Number a tenant's unnumbered events, by uid; under the clock's lock.
//
// params:  tenant STRING, limit INTEGER
// returns: numbered INTEGER
// mode:    write
MATCH (c:EventClock {tenant: $tenant})
WITH c, coalesce(c.last_seq, 0) AS before, COLLECT {
  MATCH (e:Event)
  WHERE e.waiting = $tenant AND e.uid > ''
  RETURN e ORDER BY e.uid LIMIT $limit } AS events
// before the events, so that the numbers are reserved
SET c.last_seq = before + size(events)
WITH before, events
CALL (before, events) {
  UNWIND range(0, size(events) - 1) AS place
  WITH before + place + 1 AS seq, events[place] AS e
  SET e.seq = seq
  REMOVE e.waiting
}
RETURN size(events) AS numbered
