#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
# Arguments go to ctest: scripts/test.sh -R nn
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/install_packages.sh test
werror=OFF
if [ -n "${CI:-}" ]; then werror=ON; fi
cmake --preset dev -DNMT_WARNINGS_AS_ERRORS=$werror >/dev/null || { echo "$0: configuring failed; the lines above name what is missing" >&2; exit 1; }
cmake --build --preset dev
ctest --preset dev "$@"
