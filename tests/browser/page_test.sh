#!/bin/sh
# The page in a real browser: page_test.sh NMT [FOLDER_FOR_SCREENSHOTS]
#
# Needs node, Debian's chromium and playwright-core: `npm ci` in this folder, or NODE_PATH's
# folder with it. Exits with 77 where one of them is missing.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "node is not installed"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed"
modules=${NODE_PATH:-$folder/node_modules}
[ -d "$modules/playwright-core" ] || skip "playwright-core is not installed: npm ci in $folder"

scratch=$(mktemp -d)
"$1" serve -m "$folder/../../models/sample" --threads 1 --port 0 --max-characters 500 2>"$scratch/log" &
server=$!
trap 'kill $server 2>/dev/null; wait $server 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do
  address=$(sed -n 's/.*listening on //p' "$scratch/log")
  [ -n "$address" ] && break
  sleep 0.1
done
[ -n "$address" ] || { cat "$scratch/log" >&2; exit 1; }
PLAYWRIGHT="$modules/playwright-core/index.mjs" CHROMIUM="$chromium" \
  node "$folder/page_test.mjs" "$address" "${2:-}"
