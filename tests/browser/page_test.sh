#!/bin/sh
# Tests the pages in a real browser: page_test.sh NMT [FOLDER_FOR_SCREENSHOTS]
#
# Needs node, Debian's chromium, playwright-core and axe-core: run `npm ci` in this folder, or set NODE_PATH
# to a folder that has them. Exits with 77 if one of them is missing.
. "$(dirname "$0")/../support/serving.sh"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
  skip "chromium is not installed"
modules=${NODE_PATH:-$folder/node_modules}
for package in playwright-core axe-core; do
  [ -d "$modules/$package" ] || skip "$package is not installed: npm ci in $folder"
done

status=0

# label SOURCE TARGET: a copy of the sample model that calls its languages so
label() {
  cp -r "$sample" "$scratch/$1-$2"
  (cd "$scratch/$1-$2" && sed -i "s/train_source:.*/train_source: train.$1/; s/train_target:.*/train_target: train.$2/" config.yaml &&
    sha256sum config.yaml source.spm target.spm confidence.json >SHA256SUMS)
}

label en ko
label en de
serve "$1" "$scratch/one.log" -m "$sample" --max-characters 500
one=$address
serve "$1" "$scratch/several.log" -m "$sample" -m "$scratch/en-ko" -m "$scratch/en-de" --max-characters 500
export PLAYWRIGHT="$modules/playwright-core/index.mjs" AXE="$modules/axe-core/axe.min.js" CHROMIUM="$chromium"
node "$folder/page_test.mjs" "$one" "$address" "${2:-}" || status=1

# Every page that a command writes, with long words and scripts of all directions.
cat >"$scratch/text.ko" <<'END'
저는 도서관에서 책을 읽었어요.
https://example.org/a/long/address/of/a/page 우리는 Donaudampfschifffahrtsgesellschaft 학교에 갔어요.
저는 كتاب 학교에서 読書 책을 읽었어요.
END
cd "$folder/../.." || exit 1
{
  "$1" translate -m "$sample" -i "$scratch/text.ko" -o "$scratch/text.en" --attention "$scratch/attention.html" &&
    "$1" explain attention '나는 어제 책을 읽었다' -o "$scratch/explain.html" &&
    "$1" explain attention "$(seq -f word%g -s ' ' 32)" -o "$scratch/explain-long.html" &&
    "$1" explain gru '나는 어제 책을 읽었다' -o "$scratch/explain-gru.html" &&
    "$1" explain gru '나는 책을 읽었다.' -m "$sample" -o "$scratch/explain-encoder.html" &&
    "$1" explain omission "$(sed -n 3p "$scratch/text.ko")" -m "$sample" -o "$scratch/explain-omission.html" &&
    "$1" explain beam "$(sed -n 3p "$scratch/text.ko")" -m "$sample" -o "$scratch/explain-beam.html" &&
    "$1" explain pieces $(sed -n 3p "$scratch/text.ko") -m "$sample" -o "$scratch/explain-pieces.html" &&
    "$1" explain gradient -o "$scratch/explain-gradient.html" &&
    "$1" explain gradient '저는 책을 읽어요.' --translation 'I read books.' -m "$sample" \
      -o "$scratch/explain-model-gradient.html" &&
    "$1" explain attention "$(sed -n 1p "$scratch/text.ko")" -m "$sample" -o "$scratch/explain-model.html" &&
    "$1" report "$sample" --sentences 100 -o "$scratch/report.html" &&
    sed 's/the /a /' data/sample/test.en >"$scratch/other.en" &&
    "$1" compare "$scratch/other.en" "$sample" -s data/sample/test.ko -r data/sample/test.en \
      --html "$scratch/compare.html"
} >"$scratch/commands.log" 2>&1 || { cat "$scratch/commands.log" >&2; exit 1; }
node "$folder/looks_test.mjs" "${2:-}" page="$one" several="$address" \
  attention="file://$scratch/attention.html#2" rtl="file://$scratch/attention.html#3" explain="file://$scratch/explain.html" \
  explain-long="file://$scratch/explain-long.html" explain-gru="file://$scratch/explain-gru.html" \
  explain-encoder="file://$scratch/explain-encoder.html" \
  explain-omission="file://$scratch/explain-omission.html" explain-beam="file://$scratch/explain-beam.html" \
  explain-pieces="file://$scratch/explain-pieces.html" explain-gradient="file://$scratch/explain-gradient.html" \
  explain-model-gradient="file://$scratch/explain-model-gradient.html" \
  explain-model="file://$scratch/explain-model.html" report="file://$scratch/report.html" \
  compare="file://$scratch/compare.html" || status=1
node "$folder/report_test.mjs" "file://$scratch/report.html" "$1" "$scratch/model" "${2:-}" || status=1
exit "$status"
