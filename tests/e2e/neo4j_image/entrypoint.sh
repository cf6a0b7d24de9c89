#!/usr/bin/env bash
set -eu
export NEO4J_HOME=/home/neo4j NEO4J_CONF=/home/neo4j/conf
java=(/opt/java/bin/java -XX:+UseG1GC --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=allow
  --add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED
  --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
  --add-opens=java.base/java.util.concurrent=ALL-UNNAMED -cp '/opt/jars/*')
{
  echo "server.default_listen_address=0.0.0.0"
  echo "server.directories.data=/data"
  echo "server.directories.logs=/logs"
  # NEO4J_server_memory_heap_max__size=1g is server.memory.heap.max_size=1g
  env | sed -nE 's/^NEO4J_([a-z][A-Za-z_]*)=(.*)$/\1\t\2/p' | while IFS=$'\t' read -r name value; do
    name=${name//__/%}; name=${name//_/.}; echo "${name//%/_}=$value"
  done
} > "$NEO4J_CONF/neo4j.conf"
if [ "${NEO4J_AUTH:-}" = none ]; then
  echo "dbms.security.auth_enabled=false" >> "$NEO4J_CONF/neo4j.conf"
elif [ -n "${NEO4J_AUTH:-}" ] && [ ! -d /data/databases ]; then
  "${java[@]}" -Xmx256m org.neo4j.cli.AdminTool dbms set-initial-password "${NEO4J_AUTH#neo4j/}"
fi
unset NEO4J_AUTH
exec "${java[@]}" "-Xmx${NEO4J_server_memory_heap_max__size:-512m}" \
  org.neo4j.server.Neo4jCommunity --home-dir="$NEO4J_HOME" --config-dir="$NEO4J_CONF" --console-mode
