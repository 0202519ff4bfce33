#!/usr/bin/env bash
# get_corpora_test.sh ROOT: asking get_corpora.sh for help, or naming no corpus, creates nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/scripts"
cp "$1/scripts/get_corpora.sh" "$folder/scripts/"

# expect CODE ARGUMENT...
expect() {
  local wanted=$1 code=0
  shift
  "$folder/scripts/get_corpora.sh" "$@" >"$folder/out" 2>&1 || code=$?
  grep -q 'get_corpora.sh multi30k' "$folder/out" || { echo "$*: prints no usage"; exit 1; }
  rm "$folder/out"
  [ "$code" -eq "$wanted" ] || { echo "$*: exit code $code, not $wanted"; exit 1; }
  [ "$(find "$folder" -mindepth 1 | wc -l)" -eq 2 ] || { echo "$*: creates files"; exit 1; }
}
expect 0 --help
expect 0 -h
expect 0 multi30k --help
expect 2
expect 2 no-such-corpus
expect 2 --no-such-flag
expect 2 multi30k --no-such-flag
