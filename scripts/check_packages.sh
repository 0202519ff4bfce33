#!/usr/bin/env bash
# Installs the packages of a folder in a bare Debian chroot and uses them: the program alone, without
# a compiler, then the Python module, then training.
#
#   scripts/check_packages.sh FOLDER [SUITE]    SUITE: bookworm, trixie or forky [this system's]
#
# Needs root, mmdebstrap and network access.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '5s/^# *//p' "$0" >&2; exit 2; }
folder=$(realpath "$1")
compgen -G "$folder/*.deb" >/dev/null || { echo "$0: $folder: no packages" >&2; exit 1; }
suite=${2:-$(. /etc/os-release && echo "$VERSION_CODENAME")}
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT
mmdebstrap --quiet --variant=apt "$suite" "$root" http://deb.debian.org/debian
mkdir "$root/packages"
cp "$folder"/*.deb "$root/packages"

cat > "$root/check" <<'CHECK'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
fail() { echo "$1" >&2; exit 1; }
install() { apt-get install -y -q --no-install-recommends "$@" >/log 2>&1 || fail "$(cat /log)"; }
model=/usr/share/nmt/models/sample sentence='저는 책을 읽어요.' expected='I read a book.'
apt-get update -q >/dev/null
cd /packages
! command -v g++ || fail "a compiler in a bare system"

begin=$SECONDS
install ./nmt_*.deb
answer=$(nmt translate -m $model <<< "$sentence")
took=$((SECONDS - begin))
[ "$answer" = "$expected" ] || fail "nmt: $answer"
echo "nmt: installed and translated in $took seconds"
[ "$took" -lt 60 ] || fail "nmt: installed and translated in $took seconds, limit: under 60"
message=$(nmt info 2>&1) && fail "nmt info runs without nmt-torch"
[[ $message == *"install the package nmt-torch" ]] || fail "nmt info: $message"

install ./libnmt[0-9]*.deb ./python3-nmt_*.deb
answer=$(python3 -c "import nmt; print(nmt.Translator('$model').translate('$sentence').text)")
[ "$answer" = "$expected" ] || fail "python3-nmt: $answer"
echo "python3-nmt: translated"

install ./nmt-torch_*.deb
grep -q openblas-openmp <<< "$(nmt info)" || fail "nmt info: $(nmt info)"
answer=$(nmt translate -m $model --engine plain <<< "$sentence")
[ "$answer" = "$expected" ] || fail "nmt-torch: $answer"
printf '나는 물을 마셔요.\n저는 책을 읽어요.\n%.0s' {1..50} > /text.ko
printf 'I drink water.\nI read a book.\n%.0s' {1..50} > /text.en
nmt train -t /text.ko /text.en --valid-sets /text.ko /text.en -m /model --train.max-epochs 1 >/log 2>&1 ||
  fail "nmt train: $(cat /log)"
echo "nmt-torch: trained"
CHECK
# The chroot's /proc and /dev go when its mount namespace ends.
unshare --mount bash -c 'mount --make-rprivate / && mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" &&
  exec chroot "$0" /usr/bin/env -i LC_ALL=C.UTF-8 HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin bash /check' "$root"
