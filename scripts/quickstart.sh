#!/usr/bin/env bash
# From a bare Debian to a translator in under ten minutes: installs, builds, trains on the sample
# corpus (Korean to English), translates sentences the model never saw, measures and looks at it.
#
#   scripts/quickstart.sh             uses the model of an earlier run if there is one
#   scripts/quickstart.sh --retrain   trains again
set -euo pipefail
cd "$(dirname "$0")/.."

model=models/quickstart
nmt=build/release/bin/nmt
test_source=data/sample/test.ko
test_target=data/sample/test.en
retrain=no
case "${1:-}" in
  "") ;;
  --retrain) retrain=yes ;;
  *) echo "usage: $0 [--retrain]" >&2; exit 2 ;;
esac

started=$SECONDS
stage_started=$SECONDS
stage=""
begin() {
  stage=$1
  stage_started=$SECONDS
  printf '\n== %s\n' "$stage"
}
finish() { printf -- '-- %s: %d s\n' "$stage" $((SECONDS - stage_started)); }
trap 'echo "quickstart stopped while: $stage" >&2' ERR

begin "installing packages"
scripts/install_packages.sh build
finish

begin "building"
cmake --preset release >/dev/null
cmake --build --preset release --target nmt
finish

begin "training on data/sample (at most 3 minutes)"
if [ -f "$model/training.json" ] && [ "$retrain" = no ]; then
  echo "$model holds a trained model; --retrain trains it again"
else
  "$nmt" train --config configs/sample.yaml --model-dir "$model" --overwrite
fi
finish

begin "translating sentences the model never saw"
rows=(3 141 283 592 871)
for row in "${rows[@]}"; do sed -n "${row}p" "$test_source"; done | "$nmt" translate --model-dir "$model" |
  { i=0; while IFS= read -r translation; do
      row=${rows[$i]}; i=$((i + 1))
      printf '  %s\n    -> %s\n    (reference: %s)\n' "$(sed -n "${row}p" "$test_source")" "$translation" "$(sed -n "${row}p" "$test_target")"
    done; }
finish

begin "measuring on the 1,000 sentences of the test set"
"$nmt" evaluate --model-dir "$model" --source "$test_source" --reference "$test_target" --metrics bleu chrf
finish

begin "looking at the attention: columns are the Korean tokens, rows the English ones"
sed -n 3p "$test_source" | "$nmt" translate --model-dir "$model" --attention
finish

printf '\nAll of it took %d s. Try next:\n' $((SECONDS - started))
echo "  $nmt interactive --model-dir $model"
echo "  $nmt info $model"
echo "  $nmt train --train-sets YOUR.source YOUR.target --valid-sets YOUR.valid.source YOUR.valid.target --model-dir models/mine"
