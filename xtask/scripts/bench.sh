#!/usr/bin/env bash
# The main job at size on both databases, printed from one run: see docs/benchmarks.md.
# ROWS sets the larger size (a million unless told).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rows="${ROWS:-1000000}"
cargo build --release -p engine --features testing --example main_job
job=target/release/examples/main_job
dir="$(mktemp -d)"
trap 'rm -rf "$dir"' EXIT

for shape in tieout stripe; do
  for n in $((rows / 10)) "$rows"; do
    echo "== SQLite, FULL sync, $shape, $n rows"
    TMPDIR="$dir" "$job" "sqlite://$dir/$shape-$n.db" "$n" "$shape"
    rm -f "$dir"/*.db*
  done
done

if [ -n "${TIEOUT_TEST_POSTGRES:-}" ]; then
  # The private server does not sync; quote its figures as such.
  for name in bench bench_plain bench_plain_payments; do
    psql -q "${TIEOUT_TEST_POSTGRES/#postgres:/postgresql:}" -c "CREATE DATABASE $name" >/dev/null
  done
  echo "== PostgreSQL, no sync, tieout, $rows rows"
  TMPDIR="$dir" "$job" "${TIEOUT_TEST_POSTGRES/\/postgres?/\/bench?}" "$rows" tieout
fi
