#!/usr/bin/env bash
# Speed-up of several single-threaded training processes over one: whole runs, alternating, on the
# same global batches.
#
#   benchmarks/processes.sh PROGRAM PROCESSES ROUNDS SOURCE TARGET [options of nmt train …]
set -euo pipefail
nmt=$1 processes=$2 rounds=$3 source=$4 target=$5
shift 5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Tokens per second of wall time, from the first report on.
speed() {
  sed -n 's/.*"type":"train".*"seconds":\([0-9.]*\).*"tokens_per_second":\([0-9.]*\).*/\1 \2/p' "$1" |
    awk 'NR > 1 {tokens += $2 * ($1 - last); time += $1 - last} {last = $1} END {print tokens / time}'
}
train() {  # train NAME PREFIX…
  local name=$1
  shift
  "$nmt" "$@" train --train-sets "$source" "$target" --model-dir "$folder/$name" --overwrite \
    --train.threads 1 --train.max-epochs 0 --train.log-every 10 --validation.interval 1000000 \
    "${options[@]}" 2>"$folder/log" || { cat "$folder/log" >&2; exit 1; }
  speed "$folder/$name/metrics.jsonl"
}
options=(--train.max-updates 60 "$@")
for round in $(seq "$rounds"); do
  one=$(train one)
  several=$(train several launch --processes "$processes" --)
  echo "$one $several" | awk '{printf "one process %.0f tokens/s, '"$processes"' %.0f: %.3f times\n", $1, $2, $2 / $1}'
done
