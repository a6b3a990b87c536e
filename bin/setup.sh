# Sourced by bench and test: puts the pinned packages and wrk in place. Expects $here, sets $tools. Bash 3.2 will do.
# shellcheck shell=bash

tools="${here:?}/node_modules/.bin"

# Installs package-lock.json exactly, once for each of its contents.
ensure_packages() {
  local stamp="$here/node_modules/.levelfield-lock"
  cmp -s "$here/package-lock.json" "$stamp" && return 0
  if ! command -v npm >/dev/null 2>&1; then
    echo "error: npm is not installed" >&2
    echo "  try: apt-get install -y nodejs npm, brew install node, or nix develop" >&2
    return 1
  fi
  echo "Installing the packages and runtimes that package-lock.json pins (once, about 450 MB)" >&2
  # A link into the Nix store, which npm would try to empty.
  if [ -L "$here/node_modules" ]; then rm "$here/node_modules"; fi
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
  cp "$here/package-lock.json" "$stamp"
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

# Two more load generators for whoever compares them; k6 and oha are never built here.
ensure_generators() {
  command -v ab >/dev/null 2>&1 || install_packages apache2-utils
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
