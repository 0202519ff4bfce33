#!/usr/bin/env bash
# Installs into a separate folder, moves it, builds examples/translate against it as another project
# would, and translates with the example and with the installed program, in both engines.
set -euo pipefail
cmake=$1 build=$2 source=$3 compiler=$4 generator=$5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { echo "$1" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$folder/first" >/dev/null
mv "$folder/first" "$folder/prefix"
[ ! -e "$folder/prefix/bin/nmt-bench" ] || fail "nmt-bench was installed"
unit=$(grep -v ^# "$folder/prefix/lib/systemd/system/nmt.service")
[[ $unit == *"ExecStart=$folder/first/bin/nmt "* && $unit != *=/usr/* ]] || fail "the unit names other paths: $unit"
"$cmake" -G "$generator" -S "$source/examples/translate" -B "$folder/example" -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$folder/example" >/dev/null

sentence='저는 책을 읽어요.'
expected='I read a book.'
by_program() { echo "$sentence" | "$folder/prefix/bin/nmt" translate --model-dir "$source/models/sample" "$@"; }
answers=$("$folder/example/translate_example" "$source/models/sample" "$sentence"
  by_program --engine fused
  by_program --engine plain)
echo "$answers"
[ "$answers" = "$expected"$'\n'"$expected"$'\n'"$expected" ] || fail "expected '$expected' three times"
# libnmt.so computes by LibTorch, too, which it loads with another copy of this project's own code.
library=$(dirname "$(find "$folder/prefix" -name libnmt.so)")
read -ra flags <<< "$(PKG_CONFIG_PATH=$library/pkgconfig pkg-config --cflags --libs nmt)"
"$compiler" -std=c++17 "$source/tests/install/both_engines.cpp" "${flags[@]}" -Wl,-rpath,"$library" \
  -o "$folder/both_engines"
"$folder/both_engines" "$source/models/sample" "$sentence" || fail "the engines of libnmt.so disagree"
answer=$("$folder/example/translate_example" "$source/models/sample" --html "<p>저는 <b>책을</b> 읽어요.</p>")
[ "$answer" = "<p>I read <b>a book</b>.</p>" ] || fail "the document became $answer"

"$cmake" -G "$generator" -S "$source/examples/c" -B "$folder/c_example" -DCMAKE_PREFIX_PATH="$folder/prefix" \
  -DCMAKE_C_FLAGS="-std=c99 -Wall -Wextra -Werror -pedantic" -DCMAKE_BUILD_TYPE=Release >/dev/null
"$cmake" --build "$folder/c_example" >/dev/null
answer=$("$folder/c_example/c_example" "$source/models/sample" "$sentence" "저는 물을 마셔요.")
[ "$answer" = "I read a book.
  I <- 저는
  read <- 읽어요.
  a <- 책을
  book. <- 책을
I drink water.
  I <- 저는
  drink <- 마셔요.
  water. <- 물을" ] || fail "the C program printed $answer"
answer=$(PYTHONPATH=$folder/prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c \
  "import nmt; print(nmt.Translator('$source/models/sample').translate('$sentence').text)")
[ "$answer" = "$expected" ] || fail "the Python module printed $answer"
if "$folder/c_example/c_example" "$folder/nothing" x 2> "$folder/message"; then exit 1; fi
grep -q 'no such model directory' "$folder/message"

if "$folder/example/translate_example" "$folder/nothing" x 2> "$folder/message"; then exit 1; fi
grep -q 'no such model directory' "$folder/message"

# The plain engine of another version has another symbol, and is refused.
LC_ALL=C sed -i s/nmt_plain_engine_factory_/nmt_plain_engine_factory-/g \
  "$(find "$folder/prefix" -name libnmt_plain_engine.so)"
if PYTHONPATH=$folder/prefix/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c \
  "import nmt; nmt.Translator('$source/models/sample', device='cuda')" 2> "$folder/message"; then exit 1; fi
grep -q 'another version; reinstall nmt-torch' "$folder/message" || fail "$(cat "$folder/message")"

# A library folder that is asked for replaces Debian's.
"$cmake" -G "$generator" -S "$source" -B "$folder/elsewhere" -DCMAKE_CXX_COMPILER="$compiler" -DNMT_LIGHT=ON \
  -DCMAKE_INSTALL_LIBDIR=lib/elsewhere >/dev/null
grep -q 'lib/elsewhere.*libnmt\.so' "$folder/elsewhere/cmake_install.cmake" || fail "CMAKE_INSTALL_LIBDIR was ignored"

# What scripts/quickstart.sh builds can be installed.
grep -qx 'cmake --build --preset release' "$source/scripts/quickstart.sh" || fail "quickstart.sh builds only a part"
# Where a file is missing, nothing is installed.
sed 's/libnmt\.so/libabsent.so/g' "$build/cmake_install.cmake" > "$folder/install.cmake"
if "$cmake" -DCMAKE_INSTALL_PREFIX="$folder/none" -P "$folder/install.cmake" 2> "$folder/message"; then
  fail "an incomplete build was installed"
fi
grep -q 'libabsent.so.*not built' "$folder/message"
[ ! -e "$folder/none" ] || fail "half was installed"
