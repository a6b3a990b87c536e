# Sourced by bench and test: puts the pinned packages and wrk in place. Expects $here, sets $tools. Bash 3.2 will do.
# shellcheck shell=bash

tools="${here:?}/node_modules/.bin"

# Whether what is in place is of this package-lock.json: `lock` for all of it, `reading` for what reads runs.
in_place() {
  cmp -s "$here/package-lock.json" "$here/node_modules/.levelfield-$1"
}

# Whether packages may be replaced by those that read runs: there are none, or no others.
only_reading() {
  [ ! -e "$here/node_modules" ] ||
    { [ -e "$here/node_modules/.levelfield-reading" ] && [ ! -e "$here/node_modules/.levelfield-lock" ]; }
}

# Makes a link that names this process, once no other process that lives holds it.
take_lock() {
  local holder told="" failed=0
  until ln -s "$$" "$1" 2>/dev/null; do
    if ! holder=$(readlink "$1"); then
      failed=$((failed + 1))
      [ "$failed" -lt 50 ] && continue
      echo "error: \"$1\" cannot be made, and nothing installed without it" >&2
      return 1
    fi
    if [ "$holder" != "$$" ] && { kill -0 "$holder" 2>/dev/null || ps -p "$holder" >/dev/null 2>&1; }; then
      [ -n "$told" ] || echo "Waiting for another start (process $holder), which installs packages here" >&2
      told=yes
      sleep 1
      continue
    fi
    # One process at a time clears away after one that is gone, and only what that one left.
    take_lock "$1.$holder" || return 1
    [ "$(readlink "$1")" != "$holder" ] || rm -f "$1"
    rm -f "$1.$holder"
  done
}

# Installs by one process at a time: what another one has installed meanwhile is taken.
one_at_a_time() {
  local failed=0
  mkdir -p "$here/.data" || return 1
  take_lock "$here/.data/installing" || return 1
  "$1" || failed=1
  rm -f "$here/.data/installing"
  return "$failed"
}

# Installs package-lock.json exactly, once for each of its contents.
ensure_packages() {
  in_place lock || one_at_a_time install_whole
}

install_whole() {
  in_place lock && return 0
  if ! command -v npm >/dev/null 2>&1; then
    echo "error: npm is not installed" >&2
    echo "  try: apt-get install -y nodejs npm, brew install node, or nix develop" >&2
    return 1
  fi
  echo "Installing the packages and runtimes that package-lock.json pins (once, about 600 MB)" >&2
  # A link into the Nix store, which npm would try to empty.
  if [ -L "$here/node_modules" ]; then rm "$here/node_modules"; fi
  # Older npm leaves them where they are.
  rm -f "$here"/node_modules/.levelfield-*
  local log
  log=$(mktemp)
  if ! (cd "$here" && npm ci --no-audit --no-fund >"$log" 2>&1); then
    grep -v '^npm warn' "$log" | tail -n 5 >&2
    echo "error: npm ci failed; its whole output is in $log" >&2
    return 1
  fi
  rm -f "$log"
  # Debian's packages are installed by one at a time.
  wait
  ensure_libatomic
  # npm may be told not to run install scripts; the runtimes need theirs.
  local runtime
  for runtime in node deno bun; do
    if ! "$tools/$runtime" --version >/dev/null 2>&1; then
      (cd "$here" && npm rebuild "$runtime" >/dev/null 2>&1) || true
    fi
  done
  cp "$here/package-lock.json" "$here/node_modules/.levelfield-lock"
}

# Whether a command line is answered without runtimes and suites' packages: help, and what reads runs.
reads_only() {
  local word
  for word in "$@"; do
    case $word in --card) return 1 ;; esac
  done
  for word in "$@"; do
    case $word in --help | -h) return 0 ;; esac
  done
  case "${1:-help}" in
    help | --version | list | show | report | verify | compare | doctor) return 0 ;;
    *) return 1 ;;
  esac
}

# Installs what the driver itself imports, about 30 MB: package.json names what it can do without. The whole replaces it.
ensure_reading() {
  in_place reading || one_at_a_time install_reading
}

install_reading() {
  local fresh
  in_place reading && return 0
  # Another start has installed the whole meanwhile, or has failed at it.
  if ! only_reading; then
    install_whole
    return
  fi
  if ! command -v npm >/dev/null 2>&1 || ! command -v node >/dev/null 2>&1; then
    echo "error: Node and npm are not installed" >&2
    echo "  try: apt-get install -y nodejs npm, brew install node, or nix develop" >&2
    return 1
  fi
  echo "Installing what reads and shows runs (once, about 30 MB); measuring installs the rest" >&2
  mkdir -p "$here/.data"
  rm -rf "$here"/.data/packages-*
  fresh=$(mktemp -d "$here/.data/packages-XXXXXX")
  # shellcheck disable=SC2016
  node -e '
    const { readFileSync, writeFileSync } = require("node:fs");
    const { dependencies, leftOut } = JSON.parse(readFileSync(process.argv[1], "utf8"));
    for (const name of [...leftOut, "node", "deno", "bun"]) delete dependencies[name];
    writeFileSync(process.argv[2], JSON.stringify({ private: true, dependencies }));
  ' "$here/package.json" "$fresh/package.json"
  cp "$here/package-lock.json" "$fresh/"
  if ! (cd "$fresh" && npm install --ignore-scripts --no-audit --no-fund --prefer-offline >log 2>&1); then
    grep -v '^npm warn' "$fresh/log" | tail -n 5 >&2
    echo "error: npm install failed; its whole output is in $fresh/log" >&2
    return 1
  fi
  cp "$here/package-lock.json" "$fresh/node_modules/.levelfield-reading"
  # Whole, or not at all.
  rm -rf "$here/node_modules"
  mv "$fresh/node_modules" "$here/"
  rm -rf "$fresh"
}

# Makes sure the packages are there where somebody else was to put them: the Nix shell or the container image.
require_packages() {
  [ -e "$here/node_modules" ] && return 0
  echo "error: LEVELFIELD_TOOLS is \"path\" and \"$here/node_modules\" is missing" >&2
  echo "  try: nix develop in the project's folder, or unset LEVELFIELD_TOOLS" >&2
  return 1
}

# Installs Debian packages where that needs no question; whoever needs them says what to do where it does.
install_packages() {
  local sudo=""
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true >/dev/null 2>&1 || return 0
    sudo="sudo -n"
  fi
  command -v apt-get >/dev/null 2>&1 || return 0
  echo "Installing $* from the system's packages (once)" >&2
  export DEBIAN_FRONTEND=noninteractive
  $sudo apt-get install -y -qq "$@" >/dev/null 2>&1 ||
    { $sudo apt-get update -qq && $sudo apt-get install -y -qq "$@"; } >/dev/null 2>&1 || true
}

ensure_wrk() {
  command -v wrk >/dev/null 2>&1 || install_packages wrk
}

# The load generator for HTTP/2.
ensure_generators() {
  command -v h2load >/dev/null 2>&1 || install_packages nghttp2-client
}

# One SQLite for all runtimes: the control beside each runtime's own. Nearly every Debian has it.
ensure_sqlite() {
  command -v ldconfig >/dev/null 2>&1 || return 0
  ldconfig -p | grep -q 'libsqlite3\.so\.0' || install_packages libsqlite3-0
}

# Node's own builds need libatomic, which a minimal Debian lacks.
ensure_libatomic() {
  if ldd "$tools/node" 2>/dev/null | grep -q 'libatomic\.so\.1 => not found'; then install_packages libatomic1; fi
}

# A browser that looks at pages. Without windows it is smaller and opens pages in half the time.
ensure_browser() {
  command -v chromium-headless-shell >/dev/null 2>&1 && return 0
  command -v chromium >/dev/null 2>&1 && return 0
  install_packages chromium-headless-shell
  command -v chromium-headless-shell >/dev/null 2>&1 || install_packages chromium
}
