#!/usr/bin/env bash
# The installing steps of action.yml. `place` says which folder a cache may keep and by which key; `install` puts the
# package of this action's own version there, unless the cache had it, and wrk where it may. A version that npm does not
# have, as that of a fork, is run from the action's own checkout, which installs all that it pins. Runtimes are fetched
# by the gate, only those it takes. Expects GATE_PACKAGE and GATE_OPTIONS, which may be empty.
set -euo pipefail

here=$(CDPATH='' cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$here/package.json")
package=${GATE_PACKAGE:-levelfield@$version}
# Where a package keeps what it fetches.
folder=${XDG_CACHE_HOME:-$HOME/.cache}/levelfield

if [ "${1:?}" = place ]; then
  # Options name the runtimes: a cache that lacks one would be kept without it.
  of=$(printf '%s\n' "$package" "${GATE_OPTIONS:-}" | git hash-object --stdin | cut -c 1-12)
  {
    echo "folder=$folder"
    echo "key=levelfield-$version-${RUNNER_OS:-Linux}-${RUNNER_ARCH:-X64}-$of"
  } >>"${GITHUB_OUTPUT:?}"
  exit
fi

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
  echo "::error::Node 20.12 or later and npm are needed: put actions/setup-node before this step"
  exit 2
fi
# shellcheck source=bin/setup.sh
. "$here/bin/setup.sh"
ensure_wrk

root=$folder/action/$(printf '%s' "$package" | git hash-object --stdin | cut -c 1-12)/node_modules/levelfield
bench=$root/../.bin/levelfield
if ! [ -x "$bench" ]; then
  fresh=$(mktemp -d "${RUNNER_TEMP:?}/levelfield-package-XXXXXX")
  if npm install --prefix "$fresh" --ignore-scripts --no-audit --no-fund "$package" >"$fresh/log" 2>&1; then
    # Whole, or not at all.
    mkdir -p "$folder/action"
    rm -rf "${root%/node_modules/levelfield}"
    mv "$fresh" "${root%/node_modules/levelfield}"
  elif [ -z "${GATE_PACKAGE:-}" ] && grep -qE '\b(E404|ETARGET)\b' "$fresh/log"; then
    echo "::notice::npm has no $package: the action's own checkout is run"
    root=$here
    bench=$here/bin/bench
  else
    grep -v '^npm warn' "$fresh/log" | tail -n 5
    echo "::error::$package could not be installed"
    exit 1
  fi
fi
{
  echo "bench=$bench"
  echo "root=$root"
} >>"${GITHUB_OUTPUT:?}"
