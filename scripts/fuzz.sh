#!/usr/bin/env bash
# Fuzzes the readers of model files, settings, documents and requests for crashes, endless loops and large allocations.
# Stops at the first finding and keeps its input in build/fuzz/findings.
#
#   scripts/fuzz.sh [SECONDS]    for each reader [5]
#
# Needs clang: scripts/install_packages.sh ci
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-5}
stop() { echo "$0: $1" >&2; exit 1; }

# libFuzzer takes 0 to mean without end.
[[ $seconds =~ ^[1-9][0-9]*$ ]] || stop "SECONDS: '$seconds' is not a positive whole number"
command -v clang++ >/dev/null || stop "clang++: not found; run scripts/install_packages.sh ci"
cmake --preset fuzz >/dev/null || stop "configuration failed; see above for what is missing"
log=build/fuzz/build.log
cmake --build --preset fuzz >"$log" || { grep -A 20 '^FAILED' "$log" >&2; stop "build failed"; }

# Seeds: intact files, which the fuzzer mutates.
corpus=build/fuzz/corpus
readers=(safetensors packed_model training_state corpus_cache torch_archive settings tokenizer
  html html-lines xml markdown srt po wrapped tsv xliff office http request)
mkdir -p "${readers[@]/#/$corpus/}" build/fuzz/findings
for model in tests/models/*; do
  if [ -d "$model" ]; then
    cp "$model/model.safetensors" "$corpus/safetensors/$(basename "$model")"
  else
    cp "$model" "$corpus/packed_model/"
    cp "$model" "$corpus/safetensors/"
  fi
done
state='{"__metadata__":{"format":"nmt","format_version":"2","content":"training state 2","origin":"{\"settings\":'
state+='\"train: {seed: 3}\",\"threads\":2,\"program\":\"nmt 1\",\"content\":{\"a\":\"b\"}}","progress":"{\"update\":7,'
state+='\"seconds\":1.5,\"finish\":\"\",\"checkpoints\":{\"best\":[{\"value\":2,\"update\":4}],\"latest\":[7]}}"}}'
printf '%b%s' "$(printf '\\x%02x' $((${#state} % 256)) $((${#state} / 256)) 0 0 0 0 0 0)" "$state" \
  > "$corpus/training_state/small"
# A header, a pair of two tokens and one, where they begin.
printf '%b' "$(printf '\\0%.0s' {1..88})" '\1\0\0\0\0\0\0\0\1' "$(printf '\\0%.0s' {1..119})" '\3' \
  "$(printf '\\0%.0s' {1..23})" '\4\0\0\0\5\0\0\0\6\0\0\0\0\0\0\0' '\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0' \
  '\3\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0' > "$corpus/corpus_cache/small"
cp configs/*.yaml "$corpus/settings/"
cp tests/models/version-2/source.spm "$corpus/tokenizer/"
printf '%b' '\x8a\0\0\0\0\0\0\0{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}' \
  ',"b":{"dtype":"U8","shape":[],"data_offsets":[8,9]}}123456789' > "$corpus/safetensors/small"
printf 'model: {hidden_size: 4, "cell": lstm}\ndata:\n  train_source: &a "x\\ty"\n' > "$corpus/settings/small"
cp tests/export/simple_nmt.pth "$corpus/torch_archive/"
printf '%b' '\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}X\x0d\0\0\0little_endian\x88s.' \
  '\x80\x02}(X\x05\0\0\0model}X\x01\0\0\0actorch._utils\n_rebuild_tensor_v2\n((X\x07\0\0\0storage' \
  'ctorch\nFloatStorage\nX\x01\0\0\x007X\x03\0\0\0cpuK\x02NtQK\0K\x02\x85K\x01\x85\x89}tRsX\x05\0\0\0vocab]' \
  '(X\x05\0\0\0<pad>X\x05\0\0\0<unk>eu.\x80\x02]X\x01\0\0\x007a.\x02\0\0\0\0\0\0\x0012345678' \
  > "$corpus/torch_archive/before-1.6"

printf %s '<!DOCTYPE html><title>a &amp; b</title><p id="x">one <b>two <i translate="no">three</i></b>.<br>Four' \
  '<a href=y>five<div>six</a><table>seven<tr><td><pre>8</pre><!-- nine --><svg><p>ten</svg><script>"<p>"</script>' \
  > "$corpus/html/small"
cp "$corpus/html/small" "$corpus/html-lines/"
printf '%b' '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e "f">]><a xml:space="preserve">one <b id="x">two</b> &e; &lt;\n' \
  '<c translate="no">three</c><d/><![CDATA[<p>four</p>]]><!-- five --></a>' > "$corpus/xml/small"
cp README.md docs/decoding.md "$corpus/markdown/"
printf '%b' '1\n00:00:01,000 --> 00:00:02,500\n{\\an8}one <i>two</i>\nthree\n\n2\r\n00:01.5-->00:02.5 X1:4\n- four and\n' \
  '\n3\n00:03:00,0 --> 00:04:00,0\nfive, six\nseven.\n' > "$corpus/srt/small"
printf '%b' '  one two,\nthree\n\n> four five\r\n> six seven\n>> eight\n- nine\nten\televen\n----\n' > "$corpus/wrapped/small"
printf '%b' 'one\t"two ""three""\nfour"\r\n"five\tsix\n' > "$corpus/tsv/small"
printf '%b' '<xliff><file source-language="a"><trans-unit id="1"><source>one <g id="1">two</g></source><seg-source>' \
  '<mrk mtype="seg">one <bpt id="2">&lt;</bpt>two</mrk></seg-source><target state="new"/></trans-unit></file></xliff>' \
  > "$corpus/xliff/one"
printf '%b' '<x:xliff xmlns:x="u" srcLang="a"><x:unit><x:segment><x:source>one<x:sc/></x:source></x:segment></x:unit></x:xliff>' \
  > "$corpus/xliff/two"
printf '%b' '# a\nmsgid ""\nmsgstr ""\n"charset=UTF-8\\n"\n\n#, fuzzy, c-format\n#| msgid "b"\nmsgctxt "c"\nmsgid ""\n' \
  '"one %d {two} \\"three\\"\\n"\n"four <b>five</b> &amp;\\t\\a"\nmsgid_plural "six"\nmsgstr[0] "seven"\n' \
  'msgstr[1] ""\n\n#~ msgid "d"\n#~ msgstr ""\n' > "$corpus/po/small"

printf '%b' 'A<w:document xmlns:w="w"><w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">one </w:t><w:tab/></w:r>' \
  '<w:hyperlink w:id="x"><w:r><w:t>two &amp; three</w:t></w:r></w:hyperlink></w:p></w:document>' > "$corpus/office/word"
printf '%b' 'B<o:body xmlns:o="o" xmlns:t="t"><t:h>one <t:span>two</t:span><t:s/></t:h><t:p>three<t:note><t:p>four</t:p>' \
  '</t:note></t:p></o:body>' > "$corpus/office/open"
(cd "$corpus/office" && tail -c +2 word > document.xml && mkdir -p word.tmp/word && mv document.xml word.tmp/word/ &&
  cd word.tmp && python3 -c 'import zipfile; z = zipfile.ZipFile("zip", "w"); z.write("word/document.xml")' &&
  { printf C; cat zip; } > ../zip && cd .. && rm -r word.tmp)
printf '%b' '\x04POST /translate?a=b HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\none' \
  'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n' > "$corpus/http/plain"
printf '%b' '\xffPOST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\none\r\n0\r\nTrailer: x\r\n\r\n' \
  > "$corpus/http/chunked"
printf '%b' 'application/json\n{"q": ["one", "\\u00e9"], "alternatives": 2, "flag": true, "none": null}' \
  > "$corpus/request/json"
printf 'application/x-www-form-urlencoded\nq=one+%%C3%%A9&q=two&alternatives=2' > "$corpus/request/form"
printf '%b' 'multipart/form-data; boundary=b\n--b\r\nContent-Disposition: form-data; name="q"\r\n\r\none\r\n--b\r\n' \
  'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--b--' \
  > "$corpus/request/multipart"

for reader in "${readers[@]}"; do
  dictionary=()
  case $reader in
    safetensors | packed_model | training_state) dictionary=(-dict=tests/fuzz/safetensors.dict) ;;
    torch_archive) dictionary=(-dict=tests/fuzz/torch_archive.dict) ;;
    settings) dictionary=(-dict=tests/fuzz/settings.dict) ;;
  esac
  log=build/fuzz/$reader.log
  if ! build/fuzz/bin/fuzz_"$reader" "$corpus/$reader" "${dictionary[@]}" \
    -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=1024 \
    -malloc_limit_mb=256 -print_final_stats=1 -artifact_prefix=build/fuzz/findings/"$reader"- \
    >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    stop "$reader reader: failed; the input is in build/fuzz/findings"
  fi
  echo "$reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions, no findings"
done
