#!/usr/bin/env bash
# packages_test.sh BUILD SOURCE [lintian]: makes the packages with cpack and checks their contents and dependencies;
# with `lintian`, also what lintian finds.
set -euo pipefail
build=$1
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: needs dpkg-dev"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }
(cd "$build" && cpack -B "$folder" >"$folder/log" 2>&1) || fail "cpack: $(cat "$folder/log")"

architecture=$(dpkg --print-architecture)
version=$("$build/bin/nmt" --version | cut -d ' ' -f 2)
abi=${version%.*}
package() { echo "$folder/$1_${version}_${2:-$architecture}.deb"; }
depends() { dpkg-deb -f "$(package "$@")" Depends; }
contents() { dpkg-deb -c "$(package "$@")" | awk '{print $6}' > "$folder/contents"; }
has() { grep -qE "$1" "$folder/contents" || fail "$2: lacks $1"; }

contents nmt
for file in usr/bin/nmt$ usr/libexec/nmt/libnmt_sentencepiece.so$ usr/share/nmt/models/sample/model.safetensors$ \
  usr/share/man/man1/nmt-data-check.1.gz$ usr/share/bash-completion/completions/nmt$ \
  usr/share/zsh/vendor-completions/_nmt$ usr/share/fish/vendor_completions.d/nmt.fish$ \
  lib/systemd/system/nmt.service$ usr/share/doc/nmt/copyright$; do
  has "$file" nmt
done
dpkg-deb --extract "$(package nmt)" "$folder/nmt"
grep -q ^ExecStart=/usr/bin/nmt "$folder/nmt/usr/lib/systemd/system/nmt.service" ||
  fail "nmt: its unit starts another program"
grep -q libdnnl <<< "$(depends nmt)" || fail "nmt: dependencies: $(depends nmt)"
for light in nmt "libnmt$abi"; do
  if grep -qE 'torch|blas|g\+\+' <<< "$(depends "$light")"; then fail "$light: dependencies: $(depends "$light")"; fi
done
contents nmt-torch
has usr/libexec/nmt/nmt-torch$ nmt-torch
has usr/libexec/nmt/libnmt_plain_engine.so$ nmt-torch
grep -q "libopenblas0-openmp.*nmt (= $version)\|nmt (= $version).*libopenblas0-openmp" <<< "$(depends nmt-torch)" ||
  fail "nmt-torch: dependencies: $(depends nmt-torch)"
contents "libnmt$abi"
has "libnmt.so.$abi$" "libnmt$abi"
contents libnmt-dev
has 'libnmt.so$' libnmt-dev
has usr/include/nmt/nmt.h$ libnmt-dev
has pkgconfig/nmt.pc$ libnmt-dev
contents python3-nmt all
has usr/lib/python3/dist-packages/nmt/__init__.py$ python3-nmt
grep -q "libnmt$abi" <<< "$(depends python3-nmt all)" || fail "python3-nmt: dependencies: $(depends python3-nmt all)"

if [ "${3:-}" = lintian ]; then
  lintian --allow-root --fail-on error,warning "$folder"/*.deb || fail "lintian: see above"
fi
