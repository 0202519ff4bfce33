#!/usr/bin/env bash
# Tests the completion of bash, and of zsh and fish if installed: commands, options, names of enums,
# settings, files and directories.
set -euo pipefail
completion=$1/manual/completion
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }
mkdir "$folder/models" "$folder/models/mine"
touch "$folder/text.ko" "$folder/models/config.yaml"
cd "$folder"

source "$completion/nmt"
# The last word of a command line and what completes it.
check_bash() {
  local expected=$1
  shift
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _nmt
  [ "${COMPREPLY[*]}" = "$expected" ] || fail "bash: $*: '${COMPREPLY[*]}', expected '$expected'"
}
# Command line, the word within it that is completed, and the words that must be offered.
cases=(
  'nmt tr|train translate'
  'nmt help tr|train translate'
  'nmt data ch|check'
  'nmt translate --prec|--precision'
  'nmt translate --precision |bfloat16 float32 int8'
  'nmt train --train.max-ep|--train.max-epochs'
  'nmt train --vocab.type |bpe unigram'
  'nmt train --vocab.joint |false true'
  'nmt train --objective dua|dual'
  'nmt pack --precision f|f16 f32'
  'nmt explain attention --kind mul|multi-head'
  'nmt data clean --keep not|not-utf8'
  'nmt evaluate -r text.ko --metrics |bleu chrf ter'
  'nmt translate -i te|text.ko'
  'nmt train -m mo|models'
  'nmt train -m models/|models/mine'
  'nmt translate -m models/c|models/config.yaml'
  'nmt translate --beam-size |'
  'nmt launch -n 2 --max|--max-restarts'
  'nmt launch -n 2 -- tr|train translate'
  'nmt launch -n 2 -- train --train.max-ep|--train.max-epochs'
  'nmt launch -n 2 -- train --model.cell |gru lstm'
  'nmt launch -n 2 -- train -m mo|models'
)
sorted() { tr ' ' '\n' | sort | xargs; }
for case in "${cases[@]}"; do
  line=${case%|*} expected=${case#*|}
  IFS=' ' read -ra words <<< "$line"
  [ "${line: -1}" != ' ' ] || words+=('')
  COMP_WORDS=("${words[@]}") COMP_CWORD=$((${#words[@]} - 1))
  _nmt
  answer=$(sorted <<< "${COMPREPLY[*]}")
  [ "$answer" = "$expected" ] || fail "bash: $line: '$answer', expected '$expected'"
  if command -v fish >/dev/null; then
    answer=$(HOME=$folder fish --no-config -c "source $completion/nmt.fish; complete -C '$line'" |
      cut -f 1 | sed 's|/$||' | sorted)
    [ "$answer" = "$expected" ] || fail "fish: $line: '$answer', expected '$expected'"
  fi
done
check_bash int8 nmt translate --precision = i

if command -v zsh >/dev/null; then
  # _arguments is zsh's own; what it is given decides what is offered.
  arguments=$(zsh -fc "compdef() { : }; _arguments() { print -rl -- \"\$@\" }
    source $completion/_nmt; words=(nmt data check --); CURRENT=4; _nmt
    words=(nmt pack --); CURRENT=3; _nmt
    words=(nmt launch -n 2 -- train --); CURRENT=7; _nmt" || true)
  for expected in '--fail-on=' '--precision=' ':NAME:(f32 f16 int8)' ':_files' '--model.cell='; do
    grep -qF -- "$expected" <<< "$arguments" || fail "zsh: no $expected in $arguments"
  done
fi
