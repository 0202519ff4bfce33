#!/usr/bin/env bash
# Trains on two hosts, which are network namespaces joined by a virtual cable, and slows one down, cuts
# the cable and kills a host. Usage: two_hosts.sh PROGRAM. Exits with 77 (skipped) if not allowed here.
set -u
nmt=$1
here=nmt$$a there=nmt$$b
folder=$(mktemp -d)
children=()

skip() { echo "skipped: $1"; exit 77; }
fail() {
  echo "FAILED: $1"
  tail -n 5 "$folder"/*.log
  exit 1
}
clean_up() {
  for child in "${children[@]}"; do kill -9 "$child" 2>/dev/null; done
  ip netns del $here 2>/dev/null
  ip netns del $there 2>/dev/null
  rm -rf "$folder"
}
trap clean_up EXIT

command -v ip >/dev/null || skip "there is no ip command (Debian: iproute2)"
ip netns add $here 2>/dev/null || skip "network namespaces are not allowed here"
connect() {
  ip netns list | grep -q $there || ip netns add $there
  ip link add veth0 netns $here type veth peer name veth0 netns $there ||
    skip "virtual network cables are not allowed here"
  ip -n $here addr add 10.77.0.1/24 dev veth0
  ip -n $there addr add 10.77.0.2/24 dev veth0
  for host in $here $there; do
    ip -n $host link set lo up
    ip -n $host link set veth0 up
  done
}
connect

awk -v folder="$folder" -f "$(dirname "$0")/reversed_digits.awk"

# train NAME NAMESPACE RANK UPDATES: in the background, with a disk of its own.
train() {
  ip netns exec "$2" env RANK="$3" WORLD_SIZE=2 LOCAL_RANK=0 LOCAL_WORLD_SIZE=1 \
    MASTER_ADDR=10.77.0.1 MASTER_PORT=29511 \
    "$nmt" train --config /dev/null --train-sets "$folder/text.src" "$folder/text.tgt" --model-dir "$folder/$1" \
    --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe --model.embedding-size 24 \
    --model.hidden-size 48 --data.batch-size 16 --train.threads 1 --train.save-every 20 \
    --train.log-every 20 --train.max-epochs 0 --train.max-updates "$4" >"$folder/$1.log" 2>&1 &
  children+=($!)
  last=$!
}
both() {
  train leader $here 0 "$1"; leader=$last
  train other $there 1 "$1"; other=$last
}
wait_for() {  # wait_for TEXT FILE
  for _ in $(seq 600); do
    grep -q "$1" "$2" 2>/dev/null && return
    sleep 0.1
  done
  fail "'$1' did not come in $2"
}
# ends_within SECONDS PROCESS NAME: with exit code 1 and one line that says why.
ends_within() {
  for _ in $(seq $(($1 * 10))); do
    kill -0 "$2" 2>/dev/null || break
    sleep 0.1
  done
  kill -0 "$2" 2>/dev/null && fail "$3 did not end within $1 seconds"
  wait "$2"; code=$?
  [ $code -eq 1 ] || fail "$3 ended with $code"
  [ "$(grep -c '^nmt: ' "$folder/$3.log")" -eq 1 ] || fail "$3 did not say why in one line"
  grep '^nmt: ' "$folder/$3.log" | sed "s/^/  $3: /"
}

echo "a slow host holds the others up, no more"
both 400
wait_for 'update 40 ' "$folder/leader.log"
kill -STOP $other; sleep 5; kill -CONT $other
wait $leader || fail "the leader failed"
wait $other || fail "the other failed"
grep -q 'max_updates reached' "$folder/leader.log" || fail "it did not come to its end"
rm -r "$folder/leader" "$folder/other"

echo "a cut cable ends both within 30 seconds"
both 100000
wait_for 'update 60 ' "$folder/leader.log"
ip -n $there link set veth0 down
ends_within 30 $leader leader
ends_within 30 $other other
[ -s "$folder/leader/training_state.safetensors" ] || fail "nothing was saved"

echo "with the cable mended the run goes on"
ip -n $there link set veth0 up
both 100000
wait_for 'from update' "$folder/leader.log"
after=$(sed -n 's/.*resuming .* from update //p' "$folder/leader.log")
[ "$after" -ge 60 ] || fail "it resumed from update $after only"
wait_for "update $((after / 20 * 20 + 60)) " "$folder/leader.log"

echo "a host that vanishes ends the other within 30 seconds, with its last update saved"
kill -9 $other; wait $other 2>/dev/null
ip -n $there link del veth0
rm "$folder/leader/training_state.safetensors"
ends_within 30 $leader leader
[ -s "$folder/leader/training_state.safetensors" ] || fail "nothing was saved"

echo "one host alone goes on"
"$nmt" train --config /dev/null --train-sets "$folder/text.src" "$folder/text.tgt" --model-dir "$folder/leader" \
  --vocab.source-size 20 --vocab.target-size 20 --vocab.type bpe --model.embedding-size 24 \
  --model.hidden-size 48 --data.batch-size 16 --train.threads 1 --train.save-every 20 \
  --train.log-every 20 --train.max-epochs 0 --train.max-updates $((after + 200)) \
  >"$folder/leader.log" 2>&1 || fail "one host alone failed"
grep -q 'from update' "$folder/leader.log" || fail "it began anew"
echo "passed"
