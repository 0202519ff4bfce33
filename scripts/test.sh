#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
# Arguments go to ctest: scripts/test.sh -R nn
# With CI=true a warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=dev
if [ "${CI:-}" = true ]; then preset=ci; fi
stop() { echo "$0: $1" >&2; exit 1; }

scripts/install_packages.sh test
cmake --preset "$preset" >/dev/null || stop "configuring failed; the lines above name what is missing"
cmake --build --preset "$preset" || stop "building failed; see above"
ctest --preset "$preset" "$@"
