#!/usr/bin/env bash
# Translates 10,000 sentences and checks for leaks:
#   the asan build's leak check finds nothing;
#   the optimized build's peak memory for 10,000 sentences equals that for 2,000, within 32 MiB.
#
#   scripts/check_leaks.sh [ASAN_PROGRAM] [OPTIMISED_PROGRAM]
set -euo pipefail
project=$(dirname "$0")/..
sanitized=$(realpath -m -- "${1:-$project/build/asan/bin/nmt}")  # relative to the caller's folder
release=$(realpath -m -- "${2:-$project/build/dev/bin/nmt}")
cd "$project"

slack_kib=32768
stop() { echo "$0: $1" >&2; exit 1; }
for program in "$sanitized" "$release"; do
  [ -x "$program" ] || stop "$program: not built; see CONTRIBUTING.md"
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for _ in 1 2 3 4 5 6 7 8 9 10; do cat data/sample/test.ko; done > "$folder/10000"
head -2000 "$folder/10000" > "$folder/2000"

translate() { "$1" translate --model-dir models/sample --beam-size 2 --threads 1 --input "$2"; }

ASAN_OPTIONS=detect_leaks=1 translate "$sanitized" "$folder/10000" > "$folder/out" || stop "leak check failed; see above"
[ "$(wc -l < "$folder/out")" -eq 10000 ] || stop "$sanitized: fewer than 10,000 translations"
echo "no leaks in 10,000 sentences"

# Peak resident memory of the optimized program, in KiB.
peak() {
  /usr/bin/python3 -B - "$release" "$1" <<'PYTHON'
import resource, subprocess, sys
program, text = sys.argv[1:]
subprocess.run([program, "translate", "--model-dir", "models/sample", "--beam-size", "2",
                "--threads", "1", "--input", text], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}
few=$(peak "$folder/2000")
many=$(peak "$folder/10000")
echo "peak memory: $few KiB for 2,000 sentences, $many KiB for 10,000"
[ "$many" -le $((few + slack_kib)) ] || stop "memory grows with the number of sentences"
