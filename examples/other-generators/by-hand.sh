#!/usr/bin/env bash
# What does a load generator say of a server by hand, and what does bench say of the same server? The word URL stands for
# the server's address:
#   examples/other-generators/by-hand.sh ab -q -k -n 100000 -c 50 URL
#   examples/other-generators/by-hand.sh npx autocannon -c 50 -d 10 URL
# Other servers, and how bench measures them: SUITE, CELL, ROUTE and RATES in the environment.
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 PROGRAM [options] URL" >&2; exit 2; }
bench=${BENCH:-bin/bench} suite=${SUITE:-routes} cell=${CELL:-health/node} route=${ROUTE:-/health} port=${PORT:-8123}
url=http://127.0.0.1:$port$route

"$bench" serve "$suite" "$cell" --port "$port" &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
until curl --silent --fail --output /dev/null "$url"; do
  kill -0 "$server" || exit 1
  sleep 0.2
done

# A closed loop sends the next request when a reply came: where the server halts, it asks for nothing, and forgets that.
echo "By hand, with no warm-up and no core of its own: ${*//URL/$url}"
"${@//URL/$url}"
kill "$server"
wait "$server" || true

# The same requests at fixed rates: each is counted from when it was due.
exec "$bench" latency "$suite" "$cell" --rate "${RATES:-50%,90%}" --quick
