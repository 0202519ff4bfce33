#!/usr/bin/env bash
# Trains with torchrun on two hosts, which are network namespaces on a bridge; a third joins, one
# vanishes and comes back, and the others continue. Usage: elastic_hosts.sh PROGRAM. Exits with 77
# (skipped) if that is not possible here.
set -u
nmt=$1
network=nmt$$net
folder=$(mktemp -d)
hosts="a b c"

skip() { echo "skipped: $1"; exit 77; }
fail() {
  echo "FAILED: $1"
  tail -n 15 "$folder"/?.log
  exit 1
}
# Also ends what runs there.
remove_host() {
  ip netns pids nmt$$$1 2>/dev/null | xargs -r kill -9
  ip -n nmt$$$1 link del eth0 2>/dev/null
  ip netns del nmt$$$1 2>/dev/null
  rm -rf /etc/netns/nmt$$$1
}
clean_up() {
  for host in $hosts; do remove_host $host; done
  ip netns del $network 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT

command -v ip >/dev/null || skip "there is no ip command (Debian: iproute2)"
command -v torchrun >/dev/null || skip "there is no torchrun (Debian: python3-torch)"
torchrun --no_python --nnodes 1:1 --nproc_per_node 1 -r 1 -t 1 --log_dir "$folder" --rdzv_id 0 \
  --rdzv_backend c10d --rdzv_endpoint localhost:$((20000 + $$ % 12000)) \
  --rdzv_conf last_call_timeout=1 true >/dev/null 2>&1 ||
  skip "this torchrun cannot start one process (Debian 13: its PyTorch was built without libuv)"
ip netns add $network 2>/dev/null || skip "network namespaces are not allowed here"
ip -n $network link add bridge type bridge 2>/dev/null || skip "bridges are not allowed here"
ip -n $network link set bridge up

add_host() {  # add_host NAME NUMBER
  ip netns add nmt$$$1
  ip link add eth0 netns nmt$$$1 type veth peer name to-$1 netns $network ||
    skip "virtual network cables are not allowed here"
  ip -n $network link set to-$1 master bridge up
  ip -n nmt$$$1 addr add 10.78.0.$2/24 dev eth0
  ip -n nmt$$$1 link set lo up
  ip -n nmt$$$1 link set eth0 up
  mkdir -p /etc/netns/nmt$$$1  # what `ip netns exec` shows in place of /etc/hosts
  printf '127.0.0.1 localhost\n10.78.0.1 a\n10.78.0.2 b\n10.78.0.3 c\n' >/etc/netns/nmt$$$1/hosts
}

awk -v folder="$folder" -f "$(dirname "$0")/reversed_digits.awk"

start() {  # start NAME NUMBER: a host that takes part; all write to one disk
  add_host $1 $2
  ip netns exec nmt$$$1 unshare --uts --pid --fork --kill-child --mount-proc \
    bash -c 'hostname $0; exec "$@"' $1 \
    torchrun --no_python --nnodes 1:3 --nproc_per_node 1 --max_restarts 10 -r 1 -t 1 \
    --log_dir "$folder" --rdzv_id 1 --rdzv_backend c10d --rdzv_endpoint a:29400 \
    --rdzv_conf last_call_timeout=3 \
    "$nmt" train --config /dev/null --train-sets "$folder/text.src" "$folder/text.tgt" \
    --model-dir "$folder/model" --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe \
    --model.embedding-size 24 --model.hidden-size 48 --data.batch-size 18 --train.threads 1 \
    --train.save-every 20 --train.log-every 20 --train.max-epochs 0 --train.max-updates 1000000 \
    --validation.interval 1000000 >>"$folder/$1.log" 2>&1 &
  disown  # or bash reports how it ended
}
# continues_with PROCESSES SECONDS: a has rank 0, as the first by name, and starts again, on a slow
# machine more than once; then updates follow.
continues_with() {
  until [ "$(sed -n 's/.*  processes //p' "$folder/a.log" | tail -n 1)" = "$1" ]; do
    [ $SECONDS -lt $(($2 + begun)) ] || fail "it did not continue with $1 within $2 s"
    sleep 0.2
  done
  local before=$(last_update)
  until [ "$(last_update)" != "$before" ]; do
    [ $SECONDS -lt $(($2 + begun)) ] || fail "no updates followed within $2 s"
    sleep 0.2
  done
}
last_update() { sed -n 's/.* update \([0-9]*\)  loss.*/\1/p' "$folder/a.log" | tail -n 1; }
resumed_from() { sed -n 's/.*resuming .* from update //p' "$folder/a.log" | tail -n 1; }

echo "two hosts train"
begun=$SECONDS
start a 1
start b 2
continues_with 2 120

echo "a third joins: the run continues at its update"
begun=$SECONDS
start c 3
continues_with 3 120
[ "$(resumed_from)" -ge 20 ] || fail "it began anew"

echo "one vanishes: the others continue"
begun=$SECONDS before=$(last_update)
remove_host b
continues_with 2 120
[ "$(resumed_from)" -ge "$before" ] || fail "update $before was lost: resumed from $(resumed_from)"

echo "it comes back"
begun=$SECONDS
start b 2
continues_with 3 120
[ "$(resumed_from)" -gt "$before" ] || fail "it began anew"
echo "passed"
