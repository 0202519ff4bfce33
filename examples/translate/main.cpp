// Translates each argument but the first, which is a model directory, or an HTML document:
//
//   translate_example models/sample "저는 책을 읽어요."
//   translate_example models/sample --html "<p>저는 <b>책을</b> 읽어요.</p>"
#include <iostream>
#include <string>
#include <vector>

#include "nmt/error.h"
#include "nmt/translate_document.h"
#include "nmt/translator.h"

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "usage: translate_example MODEL_DIR [--html] SENTENCE…\n";
    return 2;
  }
  const nmt::Translator translator({{argv[1]}});
  if (std::string(argv[2]) == "--html") {
    for (int i = 3; i < argc; ++i) {
      std::cout << nmt::translate_document(translator, argv[i], nmt::DocumentFormat::kHtml, {})
                << '\n';
    }
    return 0;
  }
  for (const auto& translation : translator.translate({argv + 2, argv + argc})) {
    std::cout << translation.text << '\n';
  }
  return 0;
} catch (const nmt::Error& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
