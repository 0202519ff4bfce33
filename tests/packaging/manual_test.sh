#!/usr/bin/env bash
# Tests that every command has a manual page with all of its options that the formatters accept, and that systemd
# accepts the unit.
set -euo pipefail
build=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

for page in "$build"/manual/man/*.1.gz; do
  gzip -dc "$page" > "$folder/$(basename "$page" .gz)"
done
for name in nmt nmt-train nmt-data-check; do
  read -ra command <<< "${name//-/ }"
  "$build/bin/${command[0]}" "${command[@]:1}" --help-all > "$folder/help"
  grep -oE '^  (-[a-zA-Z], )?--[a-z0-9.-]+' "$folder/help" | grep -oE -- '--.*' | while read -r option; do
    grep -qF -- "${option//-/\\-}" "$folder/$name.1" || fail "$name: lacks $option"
  done
done
commands=$("$build/bin/nmt" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\) .*/\1/p')
[ -n "$commands" ] || fail "nmt --help lists no commands"
for command in $commands; do
  [ -f "$folder/nmt-$command.1" ] || fail "nmt-$command: no page"
done
if command -v mandoc >/dev/null; then
  mandoc -T lint -W warning "$folder"/*.1 || fail "mandoc: see above"
elif command -v man >/dev/null; then
  for page in nmt nmt-train nmt-translate; do
    LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -E UTF-8 -l -Tutf8 -Z "$folder/$page.1" 2>&1 >/dev/null
  done > "$folder/warnings"
  [ ! -s "$folder/warnings" ] || fail "man: $(cat "$folder/warnings")"
fi

if command -v systemd-analyze >/dev/null; then
  sed "s|/usr/bin/nmt|$build/bin/nmt|; /^Documentation=/d" "$source/packaging/nmt.service" > "$folder/nmt.service"
  systemd-analyze verify "$folder/nmt.service" 2> "$folder/verify" || fail "systemd: $(cat "$folder/verify")"
  ! grep 'nmt.service' "$folder/verify" || fail "systemd: see above"
fi
