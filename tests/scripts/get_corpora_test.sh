#!/usr/bin/env bash
# get_corpora_test.sh ROOT: tests that get_corpora.sh creates nothing when it is asked for help or given no corpus, and
# that relative paths given to scripts are the caller's.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/scripts"
cp "$1/scripts/get_corpora.sh" "$folder/scripts/"
root=$1

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

mkdir -p "$folder/caller/from/de-en"
cd "$folder/caller"
for language in de en; do
  seq 23 > "from/de-en/train.tags.de-en.$language"
  for set in dev tst; do echo '<seg id="1"> x </seg>' > "from/de-en/IWSLT14.TED.${set}2010.de-en.$language.xml"; done
done
tar -czf from/de-en.tgz -C from de-en
../scripts/get_corpora.sh iwslt to --from from >/dev/null
[ "$(wc -l < to/train.de)" -eq 22 ] || { echo "get_corpora.sh: writes not into the caller's folder"; exit 1; }

id() { echo 0; }  # cross_arm64.sh wants root, but here it gets no further than its arguments
export -f id
for script in check_leaks cross_arm64; do
  cp "$root/scripts/$script.sh" "$folder/scripts/"
  ! "../scripts/$script.sh" absent 2>"$folder/out" || { echo "$script.sh: accepts what is absent"; exit 1; }
  grep -q "caller/absent: no" "$folder/out" || { echo "$script.sh: $(cat "$folder/out")"; exit 1; }
done
