// Translates each argument but the first, which is a model directory:
//
//   translate_example models/sample "저는 책을 읽어요."
#include <iostream>
#include <string>
#include <vector>

#include "nmt/error.h"
#include "nmt/translator.h"

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: translate_example MODEL_DIR SENTENCE…\n";
    return 2;
  }
  const nmt::Translator translator({{argv[1]}});
  for (const auto& translation : translator.translate({argv + 2, argv + argc})) {
    std::cout << translation.text << '\n';
  }
  return 0;
} catch (const nmt::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
