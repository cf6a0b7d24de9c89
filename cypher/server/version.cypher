// Name and version of the server.
//
// params:
// returns: version STRING, edition STRING
// mode:    read
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
