# Sourced by scripts that test servers with node. Sets `folder`, the script's folder, `sample`, the sample model, and
# `scratch`, a folder that is removed at the end, when the servers are stopped. Exits with 77 if node is missing.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
sample=$folder/../../models/sample
skip() { echo "skipped: $1"; exit 77; }
command -v node >/dev/null || skip "node is not installed"

scratch=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null; wait $servers 2>/dev/null; rm -rf "$scratch"' EXIT

# serve NMT LOG OPTION...: sets `address`
serve() {
  nmt=$1 log=$2
  shift 2
  "$nmt" serve "$@" --threads 1 --port 0 2>"$log" &
  servers="$servers $!"
  for _ in $(seq 100); do
    address=$(sed -n 's/.*listening on //p' "$log" 2>/dev/null)
    [ -n "$address" ] && return
    sleep 0.1
  done
  cat "$log" >&2
  exit 1
}
