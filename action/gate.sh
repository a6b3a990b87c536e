#!/usr/bin/env bash
# The measuring step of action.yml: one gate, its Markdown in the job's summary, what came out in the step's outputs.
# Expects GATE_BENCH (the command) and GATE_LIMIT, which may be followed by GATE_APP, GATE_PROGRAM, GATE_COMMAND,
# GATE_FUNCTION, GATE_BASE, GATE_OPTIONS, GATE_INSTALL, and what every step of a workflow has. Ends well on a regression
# and on a failure of --strict, too: the comment is written before the job fails.
set -euo pipefail

results="${RUNNER_TEMP:?}/levelfield"
comment=$(mktemp "$RUNNER_TEMP/levelfield-XXXXXX.md")

# A pull request is checked out as its merge into the base, alone: the parents are named in it, though not there yet.
base=${GATE_BASE:-$(git cat-file commit HEAD | sed -n 's/^parent //p' | head -n 1)}
if [ -z "$base" ]; then
  echo "::error::the commit that is checked out has no parent: name a base"
  exit 2
fi
# Git would take one for an option that runs a program, the other for a branch to be written.
case $base in
  -* | +* | *:* | *[[:cntrl:]]*)
    echo "::error::\"${base//[[:cntrl:]]/?}\" is no revision: name a branch, a tag or a commit"
    exit 2
    ;;
esac
if ! git rev-parse --verify --quiet --end-of-options "$base^{commit}" >/dev/null; then
  head=$(git rev-parse HEAD)
  # A parent of HEAD is the merge base itself; else the history between the two is needed, also that of HEAD.
  if git cat-file commit HEAD | sed '/^$/q' | grep -qxF "parent $base"; then
    git fetch --quiet --no-tags --depth=1 --end-of-options origin "$base"
  elif [ "$(git rev-parse --is-shallow-repository)" = true ]; then
    git fetch --quiet --no-tags --unshallow --end-of-options origin "$base" "$head"
  else
    git fetch --quiet --no-tags --end-of-options origin "$base"
  fi
  # A branch is known by what was fetched, a commit by itself.
  git rev-parse --verify --quiet --end-of-options "$base^{commit}" >/dev/null || base=$(git rev-parse FETCH_HEAD)
fi

words=(--base "$base" --limit "${GATE_LIMIT:?}" --results "$results" --output "$comment" --json)
if [ -n "${GATE_APP:-}" ]; then words+=(--app "$GATE_APP"); fi
if [ -n "${GATE_PROGRAM:-}" ]; then words+=(--program "$GATE_PROGRAM"); fi
if [ -n "${GATE_COMMAND:-}" ]; then words+=(--command "$GATE_COMMAND"); fi
if [ -n "${GATE_FUNCTION:-}" ]; then words+=(--function "$GATE_FUNCTION"); fi
if [ -n "${GATE_INSTALL:-}" ]; then words+=(--install "$GATE_INSTALL"); fi
while IFS= read -r line; do
  if [ -n "${line//[[:space:]]/}" ]; then words+=("$line"); fi
done <<<"${GATE_OPTIONS:-}"

code=0
"${GATE_BENCH:?}" gate "${words[@]}" >"$comment.json" || code=$?
case $code in
  0 | 3 | 4) ;;
  *) exit "$code" ;;
esac
outcome=$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).gate.outcome' "$comment.json")
cat "$comment" >>"${GITHUB_STEP_SUMMARY:?}"
{
  echo "exit-code=$code"
  echo "outcome=$outcome"
  echo "comment-file=$comment"
  echo "results=$results"
} >>"${GITHUB_OUTPUT:?}"
