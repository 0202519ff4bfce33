#!/usr/bin/env bash
# Makes the arm64 packages on amd64, all except nmt-torch, with Debian's cross compiler and libraries in a separate
# chroot. Runs the kernel tests and the program under QEMU; it must translate as the amd64 program does.
#
#   scripts/cross_arm64.sh [BUILD]    BUILD: a build for amd64 [build/release]
#
# Writes build/arm64/packages. Needs root, mmdebstrap and network access. NMT_ARM64_ROOT names the chroot
# [build/arm64-root], which is made only once; NMT_SUITE is its Debian release [bookworm].
set -euo pipefail
project=$(dirname "$0")/..
native=$(realpath -m -- "${1:-$project/build/release}")  # relative to the caller's folder
root=$(realpath -m -- "${NMT_ARM64_ROOT:-$project/build/arm64-root}")
cd "$project"
stop() { echo "$0: $1" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || stop "needs root"
[ -x "$native/bin/nmt" ] || stop "$native: no build with bin/nmt"

if [ ! -d "$root" ]; then
  command -v mmdebstrap >/dev/null || stop "needs mmdebstrap; install it"
  libraries=(libc6 libdnnl libhwy libsentencepiece libspdlog libyaml-cpp libboost zlib1g libssl libutf8proc
    libgumbo libexpat1 libmd4c libcld2 libzip)
  include=g++-aarch64-linux-gnu,cmake,ninja-build,qemu-user,dpkg-dev,file,libcli11-dev,nlohmann-json3-dev,catch2:arm64
  rm -rf --one-file-system "$root.part"
  mkdir -p "$(dirname "$root")"
  mmdebstrap --quiet --variant=apt --architectures=amd64,arm64 \
    --include="$include$(printf ',%s-dev:arm64' "${libraries[@]}")" \
    "${NMT_SUITE:-bookworm}" "$root.part" http://deb.debian.org/debian
  mv "$root.part" "$root"
fi

# Runs a command in the chroot, in this folder.
in_root() {
  unshare --mount bash -c '
    mount --make-rprivate / && mkdir -p "$0/src" && mount --bind . "$0/src" && mount -t proc proc "$0/proc" &&
    exec chroot "$0" /usr/bin/env -i LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      DEB_HOST_ARCH=arm64 DEB_HOST_GNU_TYPE=aarch64-linux-gnu bash -euc "cd /src; $1"' "$root" "$1"
}

mkdir -p build/arm64
cp -a "$native/manual" build/arm64/
in_root "cmake -G Ninja -S . -B build/arm64 -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_BUILD_TYPE=Release '-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG' \
    -DNMT_LIGHT=ON -DNMT_BUILD_TESTS=ON -DNMT_MANUAL=/src/build/arm64/manual >/dev/null
  cmake --build build/arm64 --parallel ${NMT_JOBS:-$(nproc)}
  qemu-aarch64 build/arm64/bin/test_kernels"

head -n 50 data/sample/test.ko > build/arm64/test.ko
"$native/bin/nmt" translate -m models/sample -i build/arm64/test.ko > build/arm64/amd64.en
in_root "qemu-aarch64 build/arm64/bin/nmt translate -m models/sample -i build/arm64/test.ko > build/arm64/arm64.en"
cmp build/arm64/amd64.en build/arm64/arm64.en || stop "the translations differ"
echo "arm64 and amd64 translate $(wc -l < build/arm64/arm64.en) lines alike"

in_root "cd build/arm64 && cpack -B packages -D CPACK_DEBIAN_PACKAGE_ARCHITECTURE=arm64 >/dev/null
  ls packages/*.deb"
