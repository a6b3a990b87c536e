#!/usr/bin/env bash
# Starts bench in a container as an ordinary user, whoever owns the results folder outside.
set -euo pipefail

results=${LEVELFIELD_RESULTS:-/results}
inner=(tini -- bench "$@")

# Started with --user: somebody has chosen already.
[ "$(id -u)" -eq 0 ] || exec "${inner[@]}"

owner=$(stat -c '%u:%g' "$results")
if [ "${owner%%:*}" -eq 0 ]; then
  # Inside a user namespace root is the person who started the container, with no right beyond theirs.
  read -r _ outside _ </proc/self/uid_map
  [ "$outside" -eq 0 ] || exec "${inner[@]}"
  owner=10001:10001
  if [ "$(stat -c '%a' "$results")" != 1777 ]; then chown "$owner" "$results"; fi
fi
exec setpriv --reuid="${owner%%:*}" --regid="${owner##*:}" --clear-groups --no-new-privs "${inner[@]}"
