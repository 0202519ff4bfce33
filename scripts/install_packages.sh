#!/usr/bin/env bash
# Installs the missing Debian packages that nmt needs, on Debian 12 and 13.
#
#   scripts/install_packages.sh build    to build and use the program
#   scripts/install_packages.sh test     and to run the tests
#   scripts/install_packages.sh browser  and to test the page in a browser and npm's clients; if these
#                                        packages cannot be installed, those tests are skipped
#   scripts/install_packages.sh ci       and to check the formatting and fuzz (.ci/run)
#   scripts/install_packages.sh nightly  to run .ci/nightly
#   scripts/install_packages.sh gpu      to build and use the program on a GPU (Debian 13, docs/gpu.md)
#
# Needs root or sudo, and network access, only if packages are missing.
set -euo pipefail

packages=(
  g++ cmake ninja-build
  libtorch-dev libgloo-dev libopenblas0-openmp libdnnl-dev libhwy-dev
  libsentencepiece-dev libcli11-dev libspdlog-dev libyaml-cpp-dev nlohmann-json3-dev libboost-dev
  zlib1g-dev libssl-dev libutf8proc-dev libgumbo-dev libexpat1-dev libmd4c-dev libzip-dev libcld2-dev
  libabsl-dev  # the headers of SentencePiece 0.2.2 include Abseil's, which its Debian package does not ask for
)
test_packages=(
  catch2 libcpp-httplib-dev python3 python3-numpy python3-pytest python3-torch sentencepiece
  curl dpkg-dev file gettext locales mandoc fish pkgconf zsh
)
page_packages=(chromium nodejs npm fonts-noto-cjk)
with_page=false

case "${1:-}" in
  build | gpu) ;;
  test) packages+=("${test_packages[@]}") ;;
  ci) packages+=("${test_packages[@]}" clang-format clang libclang-rt-dev); with_page=true ;;
  nightly) packages+=("${test_packages[@]}" lintian clang-tidy clang libclang-rt-dev) ;;
  browser) packages+=("${test_packages[@]}"); with_page=true ;;
  *) echo "usage: $0 build|test|browser|ci|nightly|gpu" >&2; exit 2 ;;
esac

missing=()
stop() {
  echo "$0: $1" >&2
  if [ ${#missing[@]} -gt 0 ]; then
    echo "To install them as root on a machine with access to a Debian mirror:" >&2
    echo "  apt-get update && apt-get install --no-install-recommends ${missing[*]}" >&2
  fi
  exit 1
}

if ! command -v dpkg-query >/dev/null; then
  echo "Required packages, by their Debian names: ${packages[*]}" >&2
  stop "not a Debian system; install the equivalent packages, then run cmake --workflow --preset dev"
fi

is_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}
if [ "$1" = gpu ] || is_installed libtorch-cuda-dev; then
  for i in "${!packages[@]}"; do  # these replace the packages without CUDA
    [[ ! ${packages[i]} =~ ^(libtorch|libgloo)-dev$ ]] || packages[i]=${packages[i]/-dev/-cuda-dev}
    [ "${packages[i]}" != python3-torch ] || packages[i]=python3-torch-cuda
  done
  packages+=(nvidia-cuda-toolkit)
fi
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done

as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi

install() {
  [ ${#as_root[@]} -eq 0 ] || command -v sudo >/dev/null || stop "needs root; run it as root or install sudo"
  echo "installing (a few minutes the first time): $*"
  # An outdated package list may still be good enough.
  "${as_root[@]}" apt-get update -q >/dev/null || echo "$0: apt-get update failed; trying to install" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    "$@" >/dev/null
}

if [ ${#missing[@]} -gt 0 ]; then
  install "${missing[@]}" || stop "apt-get install failed; see above"
fi

# node, npm and chromium need not be Debian packages.
install_page_test() {
  local package absent=()
  for package in "${page_packages[@]}"; do
    is_installed "$package" || command -v "${package/nodejs/node}" >/dev/null || absent+=("$package")
  done
  missing=("${absent[@]}")  # for the message of stop
  if [ ${#absent[@]} -gt 0 ]; then install "${absent[@]}" || return; fi
  install_modules browser && install_modules clients
}
# install_modules FOLDER: what a folder of tests needs from npm
install_modules() (
  cd "$(dirname "$0")/../tests/$1" || return
  [ node_modules/.package-lock.json -nt package-lock.json ] ||
    npm ci --loglevel=error --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000
)
if $with_page && ! (install_page_test); then
  echo "note: tests with a browser or npm will be skipped; see above for what is missing"
fi

echo "all ${#packages[@]} packages are installed"
