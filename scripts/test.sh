#!/usr/bin/env bash
# Installs missing packages, builds everything and runs all tests.
# Arguments are passed to ctest: scripts/test.sh -R '^nn$'
# With CI=true, warnings are errors.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=dev
if [ "${CI:-}" = true ]; then preset=ci; fi
stop() { echo "$0: $1" >&2; exit 1; }

scripts/install_packages.sh test
cmake --preset "$preset" >/dev/null || stop "configuration failed; see above for what is missing"
cmake --build --preset "$preset" || stop "build failed; see above"
status=0
ctest --preset "$preset" "$@" || status=$?
# ctest shows no output of a program that passes, though it may have skipped some of its test cases.
grep -hsE '^skipped: |: SKIPPED:' "build/$preset/Testing/Temporary/LastTest.log" | sort | uniq -c || true
exit "$status"
