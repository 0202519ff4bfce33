#!/bin/sh
# skip_test.sh PROGRAM: tests that a skipped test is reported with its reason, and neither passes nor fails.
code_of() {
  "$@" >"$folder/output"
  echo $?
}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
expect() {
  if [ "$2" != "$3" ]; then echo "$1: exit code $2, not $3"; cat "$folder/output"; exit 1; fi
}
expect "all skipped" "$(code_of "$1" '[skipped]')" 4
grep -q 'no 7 moons' "$folder/output" || { echo "the reason is missing"; exit 1; }
expect "one skipped" "$(code_of "$1" '[skipped],[passed]')" 0
grep -q 'no 7 moons' "$folder/output" || { echo "the reason is missing"; exit 1; }
code=$(code_of "$1" '[skipped],[failed]')
case $code in 0 | 4) echo "a failure is lost: exit code $code"; exit 1 ;; esac
