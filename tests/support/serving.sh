# For scripts that test servers with node, which begin with it. Sets `folder`, that of the script, `sample`, the sample
# model, and `scratch`, a folder that is gone at the end, with the servers. Exits with 77 where node is missing.
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
