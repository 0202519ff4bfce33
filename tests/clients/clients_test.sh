#!/bin/sh
# npm's clients of DeepL and LibreTranslate against nmt serve: clients_test.sh NMT
#
# Needs node and `npm ci` in this folder. Exits with 77 where they are missing.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "node is not installed"
[ -d "$folder/node_modules/deepl-node" ] || skip "the clients are not installed: npm ci in $folder"

scratch=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null; wait $servers 2>/dev/null; rm -rf "$scratch"' EXIT

# serve NMT LOG OPTION...: sets `address`
serve() {
  nmt=$1 log=$2
  shift 2
  "$nmt" serve -m "$folder/../../models/sample" --threads 1 --port 0 "$@" 2>"$log" &
  servers="$servers $!"
  for _ in $(seq 100); do
    address=$(sed -n 's/.*listening on //p' "$log")
    [ -n "$address" ] && return
    sleep 0.1
  done
  cat "$log" >&2
  exit 1
}

"$1" serve --new-key test >"$scratch/keys" 2>"$scratch/key.log"
key=$(sed -n 's/.*shown only now: //p' "$scratch/key.log")
serve "$1" "$scratch/open.log"
open=$address
serve "$1" "$scratch/keyed.log" --api-key-file "$scratch/keys"
node "$folder/clients_test.mjs" "$open" "$address" "$key"
