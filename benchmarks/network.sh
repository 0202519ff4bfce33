#!/usr/bin/env bash
# Times all-reduce operations between network namespaces with links of limited speed, next to what the
# formula of docs/performance.md predicts; or runs any command of a program there. Needs root.
#
#   benchmarks/network.sh PROGRAM RATE PROCESSES… [-- COMMAND…]
#
#   benchmarks/network.sh build/dev/bin/nmt-bench 1gbit 2 4 8
#   benchmarks/network.sh build/dev/bin/nmt 1gbit 2 -- train -c de-en.yaml -m model-{}    # {}: the rank
set -eu
program=$1 rate=$2
shift 2
numbers=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do numbers+=("$1"); shift; done
[ $# -eq 0 ] || shift
command=("$@")
[ $# -gt 0 ] || command=(network --rounds 5)
network=nmt$$net pids=()
[ "$(id -u)" -eq 0 ] || { echo "$0: needs root" >&2; exit 1; }
folder=$(mktemp -d)
clean_up() {
  set +e
  rm -rf "$folder"
  for host in $(ip netns list | grep -o "^nmt$$h[0-9]*"); do
    ip netns pids "$host" | xargs -r kill -9
    ip netns del "$host"
  done
  ip netns del $network
}
trap clean_up EXIT
ip netns add $network
ip -n $network link add bridge type bridge
ip -n $network link set bridge up

add_host() {
  local host=nmt$$h$1
  ip netns add "$host"
  ip link add eth0 netns "$host" type veth peer name "to-$1" netns $network
  ip -n $network link set "to-$1" master bridge up
  ip -n "$host" addr add 10.79.0.$(($1 + 1))/24 dev eth0
  ip -n "$host" link set lo up
  ip -n "$host" link set eth0 up
  ip netns exec "$host" tc qdisc add dev eth0 root tbf rate "$rate" burst 128kb latency 200ms
}
megabits() {  # of "200mbit" or "1gbit"
  case $1 in
    *gbit) echo $((1000 * ${1%gbit})) ;;
    *mbit) echo "${1%mbit}" ;;
  esac
}

hosts=0
for processes in "${numbers[@]}"; do
  for (( ; hosts < processes; ++hosts)); do add_host $hosts; done
  for ((rank = processes - 1; rank >= 0; --rank)); do
    ip netns exec nmt$$h$rank env RANK=$rank WORLD_SIZE="$processes" LOCAL_RANK=0 \
      LOCAL_WORLD_SIZE=1 MASTER_ADDR=10.79.0.1 MASTER_PORT=29512 \
      "$program" "${command[@]//\{\}/$rank}" >"$folder/$rank" 2>&1 &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || { tail -n 5 "$folder"/* >&2; exit 1; }; done
  pids=()
  if [ "${command[0]}" != network ]; then cat "$folder/0"; continue; fi
  awk -v processes="$processes" -v megabits="$(megabits "$rate")" '
    BEGIN { printf "%d processes, %d Mbit/s\n", processes, megabits }
    NF == 4 && $1 > 0 {
      bandwidth = (megabits < 10000 ? megabits : 10000) / 8 * 1e3  # bytes per millisecond
      predicted = 2 * (processes - 1) * ($1 / (processes * bandwidth) + 0.1)
      printf "%9d bytes  predicted %9.2f ms  measured %9.2f ms  %+.0f %%  in bfloat16 %9.2f ms\n", $1,
        predicted, $2, 100 * (predicted / $2 - 1), $4
    }' "$folder/0"
done
