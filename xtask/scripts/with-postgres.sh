#!/usr/bin/env bash
# Runs a command with a private PostgreSQL server: `with-postgres.sh cargo test -p engine`.
#
# The server lives in a temporary folder, listens on a Unix socket only, trades durability for
# speed and is gone when the command ends. TIEOUT_TEST_POSTGRES tells the command where it is.
# TIEOUT_POSTGRES_OPTIONS adds settings of the server, such as "-c shared_buffers=1GB".
# Without PostgreSQL the command runs with the variable unset; in CI that is a failure.
set -euo pipefail

if [ -n "${TIEOUT_TEST_POSTGRES:-}" ]; then
  exec "$@"
fi

bin=""
if command -v pg_ctl >/dev/null && command -v initdb >/dev/null; then
  bin="$(dirname "$(readlink -f "$(command -v initdb)")")"
else
  # Debian keeps the server's programs off the PATH, one folder for each version.
  for candidate in $(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -rV); do
    if [ -x "$candidate/initdb" ]; then bin="$candidate"; break; fi
  done
fi

if [ -z "$bin" ]; then
  echo "SKIPPED: PostgreSQL is not installed; its tests do not run (Debian: apt-get install postgresql)" >&2
  [ "${CI:-}" != true ] || exit 1
  exec "$@"
fi

# /tmp, not TMPDIR: a socket's path may have 107 bytes.
dir="$(mktemp -d /tmp/tieout-pg.XXXXXX)"

# PostgreSQL refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  user=postgres
  if ! id "$user" >/dev/null 2>&1; then
    user=tieout-postgres
    id "$user" >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin "$user"
  fi
  chown "$user" "$dir"
  as=(runuser -u "$user" --)
fi

# From /, because the unprivileged user may not enter this folder.
server() { (cd / && "${as[@]}" env LC_ALL=C "$@"); }

stop() {
  server "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$dir"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

server "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --no-sync >"$dir/initdb.log" 2>&1 ||
  { cat "$dir/initdb.log" >&2; exit 1; }
server "$bin/pg_ctl" -D "$dir/data" -l "$dir/data/server.log" -w -s start -o \
  "-k $dir -c listen_addresses='' -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c max_connections=200 ${TIEOUT_POSTGRES_OPTIONS:-}" ||
  { cat "$dir/data/server.log" >&2; exit 1; }

export TIEOUT_TEST_POSTGRES="postgres:///postgres?host=$dir&user=postgres"
"$@"
