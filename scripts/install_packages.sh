#!/usr/bin/env bash
# Installs the Debian packages that nmt needs: what is missing, nothing else.
#
#   scripts/install_packages.sh build    to build and use the program
#   scripts/install_packages.sh test     to run the tests too
#
# Debian 12 and 13. Needs root or sudo, and the network, only when something is missing.
set -euo pipefail

build_packages=(
  g++ cmake ninja-build
  libtorch-dev libopenblas0-openmp
  libsentencepiece-dev libcli11-dev libspdlog-dev libyaml-cpp-dev nlohmann-json3-dev
  zlib1g-dev libssl-dev libutf8proc-dev
)
test_packages=(catch2 python3 python3-torch sentencepiece)

case "${1:-}" in
  build) packages=("${build_packages[@]}") ;;
  test) packages=("${build_packages[@]}" "${test_packages[@]}") ;;
  *) echo "usage: $0 build|test" >&2; exit 2 ;;
esac

stop() {
  echo "$0: $1" >&2
  echo "The program needs these packages: ${packages[*]}" >&2
  exit 1
}

command -v dpkg-query >/dev/null || stop "this is not Debian; install their like by hand, then run cmake as the README says"

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi

if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  if [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
    stop "missing: ${missing[*]}; run this as root, or install sudo"
  fi
  "${as_root[@]}" apt-get update -q >/dev/null || stop "apt-get update failed (is there a network?); missing: ${missing[*]}"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    "${missing[@]}" >/dev/null || stop "apt-get install failed; missing: ${missing[*]}"
fi

# LibTorch's OpenMP and OpenBLAS's own threads would fight for the cores: the OpenMP build shares them.
for name in libblas.so.3 libopenblas.so.0; do
  link="$name-$(gcc -print-multiarch 2>/dev/null || dpkg-architecture -qDEB_HOST_MULTIARCH)"
  wanted=$(update-alternatives --list "$link" 2>/dev/null | grep openblas-openmp || true)
  current=$(update-alternatives --query "$link" 2>/dev/null | sed -n 's/^Value: //p')
  if [ -n "$wanted" ] && [ "$wanted" != "$current" ]; then
    if [ "$(id -u)" -eq 0 ]; then
      update-alternatives --set "$link" "$wanted" >/dev/null
    else
      echo "note: for two or more threads, run: sudo update-alternatives --set $link $wanted"
    fi
  fi
done
echo "packages: all ${#packages[@]} are installed"
