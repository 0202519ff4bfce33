#!/usr/bin/env bash
# Downloads a public corpus into data/NAME (or DIR), verifies it and converts it to plain text, one
# sentence per line.
#
#   scripts/get_corpora.sh multi30k [DIR]                English, German, French
#   scripts/get_corpora.sh tatoeba [DIR]                 English-French
#   scripts/get_corpora.sh iwslt [DIR]                   English-German, IWSLT 2014
#   scripts/get_corpora.sh NAME [DIR] --from FOLDER      uses files in FOLDER in place of a download
set -euo pipefail

help() { sed -n '2,9s/^# \{0,1\}//p' "$0"; }
usage() { help >&2; exit 2; }
stop() { echo "$0: $1" >&2; exit 1; }

name=${1:-}
case "$name" in
  multi30k | tatoeba | iwslt) shift ;;
  -h | --help) help; exit ;;
  *) usage ;;
esac
folder="" from=""  # DIR and FOLDER are relative to the caller's folder
while [ $# -gt 0 ]; do
  case "$1" in
    --from) [ $# -ge 2 ] || usage; from=$(realpath -m -- "$2"); shift 2 ;;
    -h | --help) help; exit ;;
    -*) usage ;;
    *) [ -z "$folder" ] || usage; folder=$(realpath -m -- "$1"); shift ;;
  esac
done
cd "$(dirname "$0")/.."
folder=${folder:-data/$name}

# fetch URL FILE: downloads it, or copies it from --from.
fetch() {
  if [ -n "$from" ]; then
    [ -f "$from/$2" ] || stop "$from/$2: no such file"
    cp "$from/$2" "$folder/$2"
  else
    command -v curl >/dev/null || stop "curl: not found; install it, or use --from"
    curl -fsSL --retry 3 -o "$folder/$2.part" "$1" || stop "$1: download failed; try again, or use --from"
    mv "$folder/$2.part" "$folder/$2"
  fi
}

# The publisher states no checksum: later downloads must equal the first one.
check_against_first() {
  (
    cd "$folder"
    if [ -f "$1.sha256" ]; then sha256sum -c --quiet "$1.sha256"; else sha256sum "$1" > "$1.sha256"; fi
  ) || stop "$folder/$1: differs from the first download; delete $folder/$1.sha256 to accept it"
}

multi30k_sums='460a15fbd157e34a7a9957ee388c1ca247fe47af3ef25fb50442af6c274e0fc6  train.en
2c2b73fd2b548fbcde3a875e0a78d6ee94d498bfdee6bd3eae3945779e9ddf72  train.de
5925a3c18f1587b6b54b87743106e6e8ab93618edb6f65d19eac0621f853a10d  train.fr
1f2a23d992769b5b3d209b0a10dd0b77c08cceb1f20dfb97ed0aafa49d107227  val.en
660e09eb7e1da2f856ea13ee5ad3cf6d36b3d5b0b733c857e94c5747a3dfc660  val.de
5304e444d842e962b2dda4d816b70b22a1765b15401642b7ca37a67477e708dc  val.fr
399a4382932c1aadd3ceb9bef1008d388a64c76d4ae4e9d4728c6f4301cac182  test_2016_flickr.en
4be6b5b3236b79c25475c6bb829800a7ce559e9ba7a1f6c2394fe4d40be46d16  test_2016_flickr.de
cb3160d69b002bb638e66cc7612fcd56cb0af82eadc9c142dedc438afb885ef6  test_2016_flickr.fr'

get_multi30k() {
  local base=https://raw.githubusercontent.com/multi30k/dataset/a3d2e0d/data/task1/raw
  local file
  while read -r _ file; do
    if [ -n "$from" ] && [ -f "$from/$file" ]; then
      cp "$from/$file" "$folder/$file"
    else
      fetch "$base/$file.gz" "$file.gz"
      gunzip -f "$folder/$file.gz"
    fi
  done <<< "$multi30k_sums"
  (cd "$folder" && sha256sum -c --quiet <<< "$multi30k_sums") || stop "$folder: differs from the published Multi30k; delete it and try again"
}

# Columns: English, French, authors. Sorted by length, so every 80th sentence gives an even sample.
get_tatoeba() {
  fetch https://www.manythings.org/anki/fra-eng.zip fra-eng.zip
  check_against_first fra-eng.zip
  command -v unzip >/dev/null || stop "unzip: not found; install it"
  unzip -p "$folder/fra-eng.zip" fra.txt > "$folder/all.tsv"
  # All translations of an English sentence go to the same part.
  awk -F '\t' -v d="$folder" '
    $1 != last { n++; last = $1 }
    { part = n % 80 == 0 ? "valid" : n % 80 == 40 ? "test" : "train"
      print $1 > d "/" part ".en"; print $2 > d "/" part ".fr" }' "$folder/all.tsv"
  rm "$folder/all.tsv"
}

get_iwslt() {
  fetch http://dl.fbaipublicfiles.com/fairseq/data/iwslt14/de-en.tgz de-en.tgz
  check_against_first de-en.tgz
  tar -xzf "$folder/de-en.tgz" -C "$folder"
  local language
  for language in de en; do
    # Lines that start with a tag describe the talk. Every 23rd pair is validation.
    grep -v '^<' "$folder/de-en/train.tags.de-en.$language" | awk -v d="$folder" -v l="$language" '
      { print > d "/" (NR % 23 == 0 ? "valid" : "train") "." l }'
    cat "$folder"/de-en/IWSLT14.TED.{dev,tst}201[0-2].de-en."$language".xml |
      sed -n 's/^<seg id="[0-9]*"> *\(.*[^ ]\) *<\/seg>$/\1/p' > "$folder/test.$language" ||
      stop "$folder/de-en: lacks a test set; delete it and try again"
  done
}

mkdir -p "$folder"
case "$name" in
  multi30k) get_multi30k ;;
  tatoeba) get_tatoeba ;;
  iwslt) get_iwslt ;;
esac
echo "$folder:"
(cd "$folder" && wc -l -- *.en *.de *.fr 2>/dev/null || true)
