#!/usr/bin/env bash
# From a bare Debian to a translator in under ten minutes: installs packages, builds, trains on the
# sample corpus (Korean to English), translates unseen sentences, evaluates and draws the attention.
#
#   scripts/quickstart.sh             reuses the model of an earlier run
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

stage=""
stage_started=0
times=""
begin() {
  stage=$1
  stage_started=$SECONDS
  printf '\n== %s\n' "$stage"
}
finish() { times+=$(printf '  %4d s  %s' $((SECONDS - stage_started)) "$stage")$'\n'; }
stop() { echo "$0: failed while $stage: $1" >&2; exit 1; }
trap 'stop "see above"' ERR
# An interrupted training has saved its state.
interrupted() { grep -q '"stop_reason": "interrupted"' "$model/training.json"; }

begin "installing packages"
scripts/install_packages.sh build
finish

begin "building"
cmake --preset release >/dev/null
cmake --build --preset release
finish

begin "training on data/sample (at most 3 minutes)"
if [ "$retrain" = no ] && [ -f "$model/training.json" ] && ! interrupted; then
  echo "using the trained model in $model; use --retrain to train again"
else
  again=()
  if [ "$retrain" = yes ]; then again=(--overwrite); fi
  # Resumes an interrupted run.
  "$nmt" train --config configs/sample.yaml --model-dir "$model" "${again[@]}"
fi
finish

begin "translating unseen sentences"
rows=(3 141 283 592 871)
pick() { for row in "${rows[@]}"; do sed -n "${row}p" "$1"; done; }
translations=$(pick "$test_source" | "$nmt" translate --model-dir "$model")
paste -d '\n' <(pick "$test_source") - <(pick "$test_target") <<< "$translations" |
  awk 'NR % 3 == 1 { print "  source       " $0 }
       NR % 3 == 2 { print "  translation  " $0 }
       NR % 3 == 0 { print "  reference    " $0 "\n" }'
finish

begin "evaluating on the 1,000 test sentences"
"$nmt" evaluate --model-dir "$model" --source "$test_source" --reference "$test_target" --metrics bleu chrf
finish

begin "drawing the attention: columns are Korean tokens, rows English ones"
sed -n 3p "$test_source" | "$nmt" translate --model-dir "$model" --attention
finish

printf '\n== times\n%s  %4d s  total\n\nTry next:\n' "$times" "$SECONDS"
echo "  $nmt interactive --model-dir $model"
echo "  $nmt info $model"
echo "  $nmt train --train-sets YOUR.source YOUR.target --model-dir models/mine"
