#!/bin/sh
# Tests nmt serve with npm's clients of DeepL and LibreTranslate: clients_test.sh NMT
#
# Needs node and `npm ci` in this folder. Exits with 77 if they are missing.
. "$(dirname "$0")/../support/serving.sh"
[ -d "$folder/node_modules/deepl-node" ] || skip "the clients are not installed: npm ci in $folder"

"$1" serve --new-key test >"$scratch/keys" 2>"$scratch/key.log"
key=$(sed -n 's/.*shown only now: //p' "$scratch/key.log")
serve "$1" "$scratch/open.log" -m "$sample"
open=$address
serve "$1" "$scratch/keyed.log" -m "$sample" --api-key-file "$scratch/keys"
node "$folder/clients_test.mjs" "$open" "$address" "$key"
