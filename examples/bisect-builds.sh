#!/usr/bin/env bash
# Which build of a runtime made an app slower? Bisects builds that lie in a folder, in the order of their names:
#   examples/bisect-builds.sh bun ~/builds --app ./app.ts --request 'GET /items/42'
set -euo pipefail
[ $# -ge 2 ] || { echo "usage: $0 node|deno|bun FOLDER [options of bench bisect]" >&2; exit 2; }
runtime=$1 folder=$2
shift 2
among=
for build in "$folder"/*; do
  among+=${among:+,}$runtime=$build
done
exec "${BENCH:-bin/bench}" bisect --among "$among" "$@"
