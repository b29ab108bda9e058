#!/usr/bin/env bash
# Installs what the tests need and this machine lacks: PostgreSQL, Chromium and Node from Debian's
# packages, the npm packages of end2end. Says what it does; a second run does nothing.
# What cannot be installed is left out: the parts that need it say so themselves.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

has_postgres() { command -v initdb >/dev/null || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null; }
has_chromium() { [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; }

missing=()
has_postgres || missing+=(postgresql)
has_chromium || missing+=(chromium)
command -v node >/dev/null || missing+=(nodejs)
command -v npm >/dev/null || missing+=(npm)
command -v cc >/dev/null || missing+=(build-essential)

if [ "${#missing[@]}" -gt 0 ]; then
  root=()
  [ "$(id -u)" = 0 ] || root=(sudo)
  if command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; then
    echo "setup: installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    log="$(mktemp)"
    if ! { "${root[@]}" apt-get -q update && "${root[@]}" apt-get -q install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
      tail -n 30 "$log" >&2
      echo "setup: could not install ${missing[*]}" >&2
    fi
    rm -f "$log"
  else
    echo "setup: ${missing[*]} missing, and no apt-get with root or sudo to install them" >&2
  fi
else
  echo "setup: PostgreSQL, Chromium and Node are there"
fi

if command -v npm >/dev/null; then
  # node_modules carries the lock that it was made from.
  stamp=end2end/node_modules/.tieout-lock
  if ! cmp -s end2end/package-lock.json "$stamp"; then
    echo "setup: npm ci in end2end"
    if (cd end2end && npm ci --no-audit --no-fund --loglevel=error); then
      cp end2end/package-lock.json "$stamp"
    else
      echo "setup: npm ci failed" >&2
    fi
  fi
fi
