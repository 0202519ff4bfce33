#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "support/error.h"
#include "support/file.h"
#include "support/line_reader.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"

namespace nmt {
namespace {

struct VocabArguments {
  std::vector<std::string> input;
  std::string output;
  std::string inspect;
  std::string encode;
  int64_t pieces = 20;
  bool overwrite = false;
  TokenizerTraining training;
};

void train_model(VocabArguments& arguments) {
  if (std::filesystem::exists(arguments.output) && !arguments.overwrite) {
    throw Error(arguments.output + ": is there already; say --overwrite to replace it");
  }
  arguments.training.corpora.assign(arguments.input.begin(), arguments.input.end());
  const auto bytes = train_tokenizer(arguments.training);
  const auto tokenizer = Tokenizer::from_bytes(bytes, arguments.output);
  write_file_atomically(arguments.output, bytes);
  std::cout << arguments.output << ": " << tokenizer.vocabulary_size() << " pieces\n";
}

void inspect_model(const VocabArguments& arguments) {
  const auto tokenizer = Tokenizer::from_file(arguments.inspect);
  std::cout << "pieces " << tokenizer.vocabulary_size() << "\npad " << kPadId << "  unknown "
            << kUnknownId << "  bos " << kBosId << "  eos " << kEosId << '\n';
  const auto count = std::min(tokenizer.vocabulary_size(), static_cast<int32_t>(arguments.pieces));
  for (int32_t id = 0; id < count; ++id) std::cout << id << '\t' << tokenizer.piece(id) << '\n';
}

// Standard input as pieces, line by line.
void encode_lines(const VocabArguments& arguments) {
  const auto tokenizer = Tokenizer::from_file(arguments.encode);
  std::string line;
  for (LineReader reader("-"); reader.next(line);) {
    const auto ids = tokenizer.encode(line);
    for (size_t i = 0; i < ids.size(); ++i)
      std::cout << (i == 0 ? "" : " ") << tokenizer.piece(ids[i]);
    std::cout << std::endl;
  }
}

void run(VocabArguments& arguments) {
  if (!arguments.inspect.empty()) {
    inspect_model(arguments);
  } else if (!arguments.encode.empty()) {
    encode_lines(arguments);
  } else if (!arguments.input.empty() && !arguments.output.empty()) {
    train_model(arguments);
  } else {
    throw UsageError("vocab needs --input and --output, or --inspect, or --encode");
  }
}

}  // namespace

void add_vocab_command(CLI::App& app) {
  auto arguments = std::make_shared<VocabArguments>();
  auto& training = arguments->training;
  auto* command = app.add_subcommand("vocab", "Train a SentencePiece vocabulary, or look into one");
  command->add_option("-i,--input", arguments->input,
                      "Text to train from, one sentence a line; .gz too");
  command->add_option("-o,--output", arguments->output,
                      "Model file to write, for example source.spm");
  command->add_option("--size", training.vocabulary_size, "Pieces; lowered when the text has fewer")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--type", training.type, "unigram or bpe")
      ->capture_default_str()
      ->check(CLI::IsMember({"unigram", "bpe"}));
  command
      ->add_option("--character-coverage", training.character_coverage,
                   "Share of the text's characters that get a piece")
      ->capture_default_str()
      ->check(CLI::Range(0.5, 1.0));
  command->add_flag("--byte-fallback", training.byte_fallback, "Spell unseen characters as bytes");
  command
      ->add_option("--normalization", training.normalization,
                   "Unicode rule: nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf or identity")
      ->capture_default_str();
  command
      ->add_option("--max-sentences", training.max_sentences, "Lines sampled from the text; 0: all")
      ->capture_default_str();
  command->add_option("--threads", training.threads, "Threads to train with")
      ->capture_default_str();
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file if it is there");
  command->add_option("--inspect", arguments->inspect, "Print what this model file holds");
  command->add_option("--pieces", arguments->pieces, "With --inspect: how many pieces to print")
      ->capture_default_str();
  command->add_option("--encode", arguments->encode,
                      "Cut standard input into pieces of this model file");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
