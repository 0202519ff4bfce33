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
servers=
trap 'kill $servers 2>/dev/null; wait $servers 2>/dev/null; rm -rf "$scratch"' EXIT

# serve NMT LOG MODEL...: sets `address`
serve() {
  nmt=$1 log=$2
  shift 2
  "$nmt" serve "$@" --threads 1 --port 0 --max-characters 500 2>"$log" &
  servers="$servers $!"
  for _ in $(seq 100); do
    address=$(sed -n 's/.*listening on //p' "$log")
    [ -n "$address" ] && return
    sleep 0.1
  done
  cat "$log" >&2
  exit 1
}

# label SOURCE TARGET: a copy of the sample model that calls its languages so
label() {
  cp -r "$sample" "$scratch/$1-$2"
  (cd "$scratch/$1-$2" && sed -i "s/train_source:.*/train_source: train.$1/; s/train_target:.*/train_target: train.$2/" config.yaml &&
    sha256sum config.yaml source.spm target.spm confidence.json >SHA256SUMS)
}

sample=$folder/../../models/sample
label en ko
label en de
serve "$1" "$scratch/one.log" -m "$sample"
one=$address
serve "$1" "$scratch/several.log" -m "$sample" -m "$scratch/en-ko" -m "$scratch/en-de"
PLAYWRIGHT="$modules/playwright-core/index.mjs" CHROMIUM="$chromium" \
  node "$folder/page_test.mjs" "$one" "$address" "${2:-}"
