#!/usr/bin/env bash
# Runs the parts of the test, or those named: `test.sh clippy journeys`. Every part runs even if an
# earlier one failed; the end tells what ran, how long it took and what was skipped.
# With CI=true a skipped part is a failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

ALL=(setup fmt clippy clippy-wasm bundle tests build journeys)
CI="${CI:-}"
# Whatever the run generates, a lock file above all, must be committed.
if [ "$CI" = true ]; then ALL+=(clean-tree); fi
logs="${CARGO_TARGET_DIR:-target}/test-logs"
mkdir -p "$logs"
report=()
failed=0
passed_tests=0
failed_tests=0

if [ "$#" -eq 0 ]; then parts=("${ALL[@]}"); else parts=("$@"); fi

has_postgres() { [ -n "${TIEOUT_TEST_POSTGRES:-}" ] || command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
# Fails when a tracked file changed or a new one is not ignored.
clean_tree() {
  local changes
  changes="$(git status --porcelain)" || return 1
  [ -z "$changes" ] || { echo "$changes"; git --no-pager diff; return 1; }
}

has_browser() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && command -v node >/dev/null && [ -d end2end/node_modules ]; }

# skip NAME REASON
skip() {
  echo "SKIPPED $1: $2"
  report+=("$(printf '%-14s SKIPPED      %s' "$1" "$2")")
  if [ "$CI" = true ]; then failed=1; fi
}

# part NAME COMMAND…: its output is shown and kept, its time and result noted.
part() {
  local name="$1" start end status
  shift
  echo
  echo "== $name: $*"
  start=$SECONDS
  "$@" 2>&1 | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  end=$SECONDS
  if [ "$status" -eq 0 ]; then
    report+=("$(printf '%-14s ok      %4d s' "$name" $((end - start)))")
  else
    report+=("$(printf '%-14s FAILED  %4d s  (%s)' "$name" $((end - start)) "$logs/$name.log")")
    failed=1
  fi
  return "$status"
}

# count PASSED FAILED, empty for none
count() {
  passed_tests=$((passed_tests + ${1:-0}))
  failed_tests=$((failed_tests + ${2:-0}))
}

rust_tests() {
  if ! has_postgres; then
    skip postgres "PostgreSQL is not installed; the tests ran on SQLite only"
  fi
  if command -v cargo-nextest >/dev/null; then
    part tests xtask/scripts/with-postgres.sh cargo nextest run --workspace --no-fail-fast --status-level fail --final-status-level fail
    local summary
    summary="$(sed 's/\x1b\[[0-9;]*m//g' "$logs/tests.log" | grep -E 'tests? run:' | tail -n 1)"
    count "$(grep -oE '[0-9]+ passed' <<<"$summary" | grep -oE '[0-9]+')" \
      "$(grep -oE '[0-9]+ (failed|timed out)' <<<"$summary" | grep -oE '[0-9]+' | paste -sd+ - | bc 2>/dev/null)"
  else
    part tests xtask/scripts/with-postgres.sh cargo test --workspace --no-fail-fast
    count "$(sum_of 'test result:.* ([0-9]+) passed' tests)" "$(sum_of 'test result:.* ([0-9]+) failed' tests)"
  fi
}

# sum_of PATTERN LOG: adds the first group over all matching lines.
sum_of() {
  sed -nE "s/.*$1.*/\\1/p" "$logs/$2.log" | awk '{ s += $1 } END { print s + 0 }'
}

browser() {
  if ! has_browser; then
    skip "$1" "Chromium, Node or end2end/node_modules is missing; run xtask/scripts/setup.sh"
    return
  fi
  part "$@"
}

for name in "${parts[@]}"; do
  case "$name" in
    setup) part setup xtask/scripts/setup.sh ;;
    fmt) part fmt cargo fmt --all --check ;;
    clippy) part clippy cargo clippy --workspace --all-targets -- -D warnings ;;
    clippy-wasm)
      cargo run --quiet -p xtask -- wasm-target
      part clippy-wasm cargo clippy -p app --lib --target wasm32-unknown-unknown --features hydrate -- -D warnings
      ;;
    bundle) part bundle cargo run --quiet -p xtask -- bundle ;;
    tests) rust_tests ;;
    build) part build cargo build --workspace --bins ;;
    journeys)
      browser journeys npm --prefix end2end test --silent
      if [ -f "$logs/journeys.log" ]; then
        count "$(sum_of '^ +([0-9]+) passed' journeys)" "$(sum_of '^ +([0-9]+) failed' journeys)"
      fi
      ;;
    clean-tree) part clean-tree clean_tree ;;
    screenshots) browser screenshots npm --prefix end2end run --silent screenshots ;;
    *) echo "no part named $name; parts: ${ALL[*]} screenshots" >&2; exit 2 ;;
  esac
done

echo
echo "== what ran"
printf '%s\n' "${report[@]}"
printf 'total %d s\n\n' "$SECONDS"
if [ "$failed" -ne 0 ]; then
  echo "FAILED: see above"
fi
if [ $((passed_tests + failed_tests)) -gt 0 ]; then
  echo "$passed_tests passed, $failed_tests failed"
fi
exit "$failed"
