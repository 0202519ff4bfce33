#!/usr/bin/env bash
# What a maintainer runs before a release. In a bare chroot of each Debian: the quickstart, all tests (which run the
# commands of README.md and the tutorial, and build the examples) and packaging; then the packages in another bare
# chroot. Checks the committed state. Prints the seconds of each step; build/release-check keeps the logs.
#
#   scripts/release_check.sh [--since REVISION] [SUITE ...]    suites: bookworm, trixie, forky [the first two]
#
# With --since, also builds that revision and compares speed, memory and build time (benchmarks/regression.py). Takes
# about an hour for each Debian on two cores. Needs root, mmdebstrap and network access.
set -euo pipefail
cd "$(dirname "$0")/.."
stop() { echo "$0: $1" >&2; exit 1; }

since=""
if [ "${1:-}" = --since ]; then
  since=$(git rev-parse --verify --quiet "${2:-}^{commit}") || stop "--since ${2:-}: no such revision"
  shift 2
fi
suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie)
for suite in "${suites[@]}"; do
  [[ $suite =~ ^(bookworm|trixie|forky)$ ]] || stop "$suite: no such suite; use bookworm, trixie or forky"
done
[ "$(id -u)" -eq 0 ] || stop "needs root"
command -v mmdebstrap >/dev/null || stop "needs mmdebstrap; install it"

logs=build/release-check
mkdir -p "$logs"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
table=""
slower=""

# Runs a command in the suite's chroot, in the clone.
in_chroot() {
  unshare --mount bash -c '
    mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
    exec chroot "$0" /usr/bin/env -i LC_ALL=C.UTF-8 HOME=/root CI=true DEBIAN_FRONTEND=noninteractive \
      PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc "cd /src; $1"' "$work/$suite" "$1"
}

# step NAME COMMAND...: times a command, with its output in a log.
step() {
  local name=$1 log=$logs/$suite-${1// /-}.log begin=$SECONDS
  shift
  echo "$suite: $name"
  "$@" > "$log" 2>&1 || { tail -n 30 "$log" >&2; stop "$suite: $name failed; see $log"; }
  table+="| $suite | $name | $((SECONDS - begin)) |"$'\n'
}

make_chroot() {
  mmdebstrap --quiet --variant=apt "$suite" "$work/$suite" http://deb.debian.org/debian &&
    git clone --quiet --no-hardlinks . "$work/$suite/src"
}

for suite in "${suites[@]}"; do
  step "bare chroot" make_chroot
  step "quickstart" in_chroot "apt-get update && scripts/quickstart.sh"
  step "all tests" in_chroot "scripts/test.sh"
  step "packages" in_chroot "apt-get install -y dpkg-dev file && cd build/release && cpack -B /packages"
  step "packages in a bare chroot" scripts/check_packages.sh "$work/$suite/packages" "$suite"
  if [ -n "$since" ]; then
    step "clone of the last release" git clone --quiet --no-hardlinks . "$work/$suite/before"
    git -C "$work/$suite/before" checkout --quiet "$since"
    step "configuration of the last release" in_chroot "cd /before && cmake --preset release"
    # Noise may fail it, which must not cost the other Debian.
    step "regression" in_chroot "benchmarks/regression.py --build /before/build/release build/release || echo FAILED"
    cat "$logs/$suite-regression.log"
    ! grep -qx FAILED "$logs/$suite-regression.log" || slower+=" $suite"
  fi
  rm -rf --one-file-system "${work:?}/$suite"
done
printf '\n| Debian | step | seconds |\n|---|---|---|\n%s' "$table"
[ -z "$slower" ] || stop "slower than $since, or not measured, on$slower; see above"
