// The C++ side of benchmarks/python_bindings.py: for each line of standard input, translates all
// lines of a file and prints the seconds of CPU time, of all threads, that took.
//
//   translator_times MODEL FILE THREADS
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "translate/translator.h"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  nmt::TranslatorOptions options;
  options.model_dirs = {argv[1]};
  options.threads = std::stoi(argv[3]);
  const nmt::Translator translator(options);
  std::vector<std::string> lines;
  std::ifstream file(argv[2]);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  for (std::string go; std::getline(std::cin, go);) {
    const auto begin = std::clock();
    const auto translations = translator.translate(lines);
    const auto ticks = std::clock() - begin;
    if (translations.size() != lines.size()) return 1;
    std::cout << static_cast<double>(ticks) / CLOCKS_PER_SEC << std::endl;
  }
  return 0;
}
