#!/usr/bin/env bash
# Installs into a folder of its own, builds examples/translate against it as another project would,
# and translates with the example and with the installed program.
set -euo pipefail
cmake=$1 build=$2 source=$3 compiler=$4 generator=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$cmake" --install "$build" --prefix "$folder/prefix" >/dev/null
"$cmake" -G "$generator" -S "$source/examples/translate" -B "$folder/example" -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$folder/example" >/dev/null

sentence='저는 책을 읽어요.'
expected='I read a book.'
by_example=$("$folder/example/translate_example" "$source/models/sample" "$sentence")
by_program=$(echo "$sentence" | "$folder/prefix/bin/nmt" translate --model-dir "$source/models/sample")
echo "example: $by_example"
echo "program: $by_program"
[ "$by_example" = "$expected" ] && [ "$by_program" = "$expected" ]
if "$folder/example/translate_example" "$folder/nothing" x 2> "$folder/message"; then exit 1; fi
grep -q 'no such model directory' "$folder/message"
