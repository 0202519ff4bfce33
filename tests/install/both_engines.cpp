// Translates SENTENCE with MODEL through libnmt.so by both engines, which must agree, and checks
// that an error from the plain engine, which libnmt.so loads, is an nmt::Error here:
//
//   both_engines MODEL SENTENCE
#include <cmath>
#include <iostream>
#include <string>

#include "nmt/error.h"
#include "nmt/translator.h"

namespace {

nmt::TranslationCandidate translate_by(nmt::TranslationEngine engine,
                                       const char* const* arguments) {
  nmt::TranslatorOptions options{{arguments[1]}};
  options.threads = 1;
  options.engine = engine;
  return nmt::Translator(options).translate({arguments[2]})[0].candidates[0];
}

bool refuses_device(const char* model, const std::string& device) {
  try {
    nmt::Translator({{model}, device});
  } catch (const nmt::Error& error) {
    return std::string(error.what()).find("device '" + device + "': ") == 0;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto fused = translate_by(nmt::TranslationEngine::kFused, argv);
  const auto plain = translate_by(nmt::TranslationEngine::kPlain, argv);
  std::cout << fused.text << ' ' << fused.score << '\n' << plain.text << ' ' << plain.score << '\n';
  const bool agree = fused.text == plain.text && std::abs(fused.score - plain.score) < 1e-4;
  return agree && refuses_device(argv[1], "xyz") && refuses_device(argv[1], "cuda:999") ? 0 : 1;
}
