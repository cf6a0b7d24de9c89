#!/bin/sh
# Speak to Stratagraph with curl: remember, recall for a task, report how it ended.
#
#     sh examples/plain_http.sh
#
# Start a service first (`make serve`). STRATAGRAPH_URL names another one, STRATAGRAPH_API_KEY its key.
set -eu

url=${STRATAGRAPH_URL:-http://127.0.0.1:8400}

post() { # path, body
    curl --silent --show-error --fail-with-body --max-time 30 \
        --header 'Content-Type: application/json' \
        ${STRATAGRAPH_API_KEY:+--header "Authorization: Bearer $STRATAGRAPH_API_KEY"} \
        --data "$2" "$url$1"
    echo
}

echo "Remember:"
post /v1/memories '{"agent_id": "courier", "kind": "insight",
  "text": "The side gate is the quickest way into the depot.", "tags": ["depot"]}'

echo "Recall (again until it is found, a moment after it was stored):"
question='{"agent_id": "courier", "text": "How do I get into the depot?", "task_id": "tour-1"}'
tries=0
until post /v1/recall "$question" | grep side; do
    tries=$((tries + 1))
    [ "$tries" -lt 50 ] || { echo "It was not found." >&2; exit 1; }
    sleep 0.2
done

echo "Report the outcome (a second report of the same outcome changes nothing):"
post /v1/tasks/tour-1/outcome '{"agent_id": "courier", "status": "success"}'
