#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "checkpoint/model_files.h"
#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "compare/comparison.h"
#include "errors/error.h"
#include "files/line_reader.h"

namespace nmt {
namespace {

struct CompareArguments {
  std::string a;
  std::string b;
  std::string source;
  std::string reference;
  ModelFlags model;
  ComparisonOptions options;
  bool json = false;
};

void require_lines(const std::string& path, const std::vector<std::string>& lines,
                   const std::string& reference_path, const std::vector<std::string>& references) {
  if (lines.size() == references.size()) return;
  throw Error(path + " has " + std::to_string(lines.size()) + " lines and " + reference_path + " " +
              std::to_string(references.size()) + "; they have to pair line by line");
}

/// One of the two that are compared: a model, or a file of translations.
class Side {
 public:
  Side(const std::string& path, const CompareArguments& arguments) {
    if (!may_be_model(path)) {
      lines_ = read_lines(path);
      return;
    }
    if (arguments.source.empty()) {
      throw UsageError("compare needs --source: " + path + " is a model, which has to translate");
    }
    auto flags = arguments.model;
    flags.model_dirs = {path};
    translator_ = std::make_unique<Translator>(flags.options());
  }

  std::vector<std::string> translations(const std::vector<std::string>& sources) const {
    if (!translator_) return lines_;
    std::vector<std::string> texts;
    TranslationOptions options;
    options.scores = false;
    for (const auto& translation : translator_->translate(sources, options)) {
      texts.push_back(translation.text);
    }
    return texts;
  }

 private:
  std::unique_ptr<Translator> translator_;
  std::vector<std::string> lines_;
};

void run(const CompareArguments& arguments) {
  ComparedTexts texts{arguments.a, arguments.b, {}, {}, {}, read_lines(arguments.reference)};
  // Both before anything is translated: where LibTorch is loaded for one, this begins anew.
  const Side a(arguments.a, arguments);
  const Side b(arguments.b, arguments);
  if (!arguments.source.empty()) {
    texts.sources = read_lines(arguments.source);
    require_lines(arguments.source, texts.sources, arguments.reference, texts.references);
  }
  texts.a = a.translations(texts.sources);
  texts.b = b.translations(texts.sources);
  require_lines(arguments.a, texts.a, arguments.reference, texts.references);
  require_lines(arguments.b, texts.b, arguments.reference, texts.references);
  const auto comparison = compare(texts.a, texts.b, texts.references, arguments.options);
  std::cout << (arguments.json ? to_json(comparison, texts, arguments.options)
                               : to_text(comparison, texts, arguments.options));
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  auto* command = app.add_subcommand(
      "compare",
      "Which of two translators is better, whether that is chance, and where they differ");
  command
      ->add_option("A", arguments->a, "Folder or packed file of a model, or a file of translations")
      ->required();
  command->add_option("B", arguments->b, "The other, which may be of another kind")->required();
  command->add_option("-r,--reference", arguments->reference, "Right translations, line by line")
      ->required();
  command->add_option("-s,--source", arguments->source,
                      "Text to translate; shown where A and B are files of translations");
  command
      ->add_option("--samples", arguments->options.num_samples,
                   "Corpora that the paired bootstrap draws")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  command->add_option("--seed", arguments->options.seed, "Seed of the bootstrap")
      ->check(check_seed)
      ->capture_default_str();
  command
      ->add_option("--sentences", arguments->options.num_sentences,
                   "Sentences shown for each side, those that differ most in chrF2")
      ->check(CLI::Range(0, 1000000))
      ->capture_default_str();
  arguments->model.add_compute_flags(*command);
  command->add_flag("--json", arguments->json, "Print one JSON object");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
