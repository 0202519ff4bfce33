#!/usr/bin/env bash
# score_agreement.sh NMT MODEL_DIR SOURCE TARGET: exports the model, scores 200 pairs and reproduces the
# figures in plain PyTorch.
set -euo pipefail
nmt=$1 model=$2 source=$3 target=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
[ -x /usr/bin/python3 ] || { echo "skipped: /usr/bin/python3 is not there"; exit 77; }

head -n 200 "$source" > "$folder/source"
head -n 200 "$target" > "$folder/target"
"$nmt" export --model-dir "$model" --to safetensors --output "$folder/model.safetensors" >/dev/null
"$nmt" score --model-dir "$model" --source "$folder/source" --target "$folder/target" \
  --output "$folder/scores"
/usr/bin/python3 "$(dirname "$0")/score_agreement.py" --weights "$folder/model.safetensors" \
  --source-spm "$model/source.spm" --target-spm "$model/target.spm" \
  --source "$folder/source" --target "$folder/target" --scores "$folder/scores"
