// Lock memories in the given order, by a write that reads nothing; they are read after.
//
// params:  uids LIST<STRING> (sorted), now ZONED DATETIME
// returns: locked INTEGER
// mode:    write
// slots:   a b
// choices: alone (taking away a property that no memory has locks it and writes nothing) linked (and note when) vectors
//          (whose vectors are made anew)
UNWIND $uids AS uid
MATCH (m:Memory {uid: uid})
//= alone
REMOVE m.reward_uid
//= linked
//| SET m.linked_at = $now
//= vectors
//| SET m.embedding_a_by = ''
//=
RETURN count(*) AS locked
