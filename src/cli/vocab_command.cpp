#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "text/model_description.h"
#include "text/tokenizer.h"
#include "text/tokenizer_training.h"

namespace nmt {
namespace {

struct VocabArguments {
  std::vector<std::string> input;
  std::string output;
  std::string inspect;
  std::string encode;
  std::string decode;
  std::string format = "pieces";
  int64_t pieces = 20;
  bool overwrite = false;
  TokenizerTraining training;
};

void train_model(VocabArguments& arguments) {
  require_absent(arguments.output, arguments.overwrite);
  arguments.training.corpora.assign(arguments.input.begin(), arguments.input.end());
  const auto bytes = train_tokenizer(arguments.training);
  const auto tokenizer = Tokenizer::from_bytes(bytes, arguments.output);
  write_file_atomically(arguments.output, bytes);
  std::cout << arguments.output << ": " << tokenizer.vocabulary_size() << " pieces";
  if (tokenizer.vocabulary_size() < arguments.training.vocabulary_size) {
    std::cout << "; the text has no more";
  }
  std::cout << '\n';
}

void inspect_model(const VocabArguments& arguments) {
  const auto tokenizer = Tokenizer::from_file(arguments.inspect);
  const auto description = describe_model(tokenizer.bytes());
  const auto& rule = description.normalization;
  std::cout << "size " << tokenizer.vocabulary_size() << '\n'
            << "type " << description.type << '\n'
            << "normalization " << (rule.empty() ? "unnamed" : rule) << '\n'
            << "byte_fallback " << (description.byte_fallback ? "true" : "false") << '\n'
            << "pad " << kPadId << "  unknown " << kUnknownId << "  bos " << kBosId << "  eos "
            << kEosId << '\n';
  const auto count = std::min<int64_t>(tokenizer.vocabulary_size(), arguments.pieces);
  for (int32_t id = 0; id < count; ++id) std::cout << id << '\t' << tokenizer.piece(id) << '\n';
}

// Lines are answered as they come, so that a person can try a model by hand.
void encode_lines(const VocabArguments& arguments) {
  const auto tokenizer = Tokenizer::from_file(arguments.encode);
  const bool as_ids = arguments.format == "ids";
  OutputFile output("-");
  std::string line;
  for (LineReader reader("-"); reader.next(line);) {
    std::string answer;
    for (const int32_t id : tokenizer.encode(line)) {
      answer += (answer.empty() ? "" : " ") + (as_ids ? std::to_string(id) : tokenizer.piece(id));
    }
    output.write(answer + "\n");
  }
}

std::vector<int32_t> parse_ids(const std::string& line, int64_t line_number) {
  std::istringstream words(line);
  std::vector<int32_t> ids;
  for (std::string word; words >> word;) {
    int32_t id = 0;
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, id);
    if (parsed.ec != std::errc() || parsed.ptr != end) {
      throw Error("standard input: line " + std::to_string(line_number) +
                  ": only token ids, separated by spaces, can be decoded");
    }
    ids.push_back(id);
  }
  return ids;
}

void decode_lines(const VocabArguments& arguments) {
  const auto tokenizer = Tokenizer::from_file(arguments.decode);
  OutputFile output("-");
  std::string line;
  for (LineReader reader("-"); reader.next(line);) {
    output.write(tokenizer.decode(parse_ids(line, reader.line_number())) + "\n");
  }
}

void run(VocabArguments& arguments) {
  const bool train = !arguments.input.empty() && !arguments.output.empty();
  const int num_tasks = int{train} + int{!arguments.inspect.empty()} +
                        int{!arguments.encode.empty()} + int{!arguments.decode.empty()};
  if (num_tasks != 1) {
    throw UsageError("vocab needs --input and --output, or one of --inspect, --encode, --decode");
  }
  if (train) train_model(arguments);
  if (!arguments.inspect.empty()) inspect_model(arguments);
  if (!arguments.encode.empty()) encode_lines(arguments);
  if (!arguments.decode.empty()) decode_lines(arguments);
}

void add_training_options(CLI::App& command, TokenizerTraining& training) {
  command
      .add_option("--size", training.vocabulary_size,
                  "How many pieces, special tokens included; lowered when the text has fewer")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command.add_option("--type", training.type, "Kind of subword model: unigram or bpe")
      ->capture_default_str()
      ->check(CLI::IsMember({"unigram", "bpe"}));
  command
      .add_option("--character-coverage", training.character_coverage,
                  "Share of the text's characters that get a piece; the rarest are left out and "
                  "become unknown")
      ->capture_default_str()
      ->check(CLI::Range(0.98, 1.0));
  command.add_flag("--byte-fallback", training.byte_fallback,
                   "Spell characters without a piece as UTF-8 bytes, so that nothing is unknown");
  command
      .add_option(
          "--normalization", training.normalization,
          "Unicode rule: nmt_nfkc, nfkc, nmt_nfkc_cf, nfkc_cf (cf: lower-cased) or identity")
      ->capture_default_str();
  command
      .add_option("--max-sentences", training.max_sentences,
                  "Train from a random sample of this many lines, of 48 MB at most; 0: all lines")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--seed", training.seed, "Seed of that sample")
      ->check(check_seed)
      ->capture_default_str();
  command.add_option("--threads", training.threads, "Threads to train with")
      ->capture_default_str()
      ->check(CLI::Range(1, 1024));
}

void add_model_options(CLI::App& command, VocabArguments& arguments) {
  command.add_option("--inspect", arguments.inspect, "Print what this model file holds");
  command.add_option("--pieces", arguments.pieces, "With --inspect: how many pieces to print")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command.add_option("--encode", arguments.encode,
                     "Cut each line of standard input into pieces of this model file");
  command.add_option("--format", arguments.format, "With --encode: print pieces or ids")
      ->capture_default_str()
      ->check(CLI::IsMember({"pieces", "ids"}));
  command.add_option("--decode", arguments.decode,
                     "Turn each line of ids on standard input into text by this model file");
}

}  // namespace

void add_vocab_command(CLI::App& app) {
  auto arguments = std::make_shared<VocabArguments>();
  auto* command = app.add_subcommand("vocab", "Train a SentencePiece vocabulary, or look into one");
  command->add_option("-i,--input", arguments->input,
                      "Text to train from, one sentence a line; .gz too; several files for a joint "
                      "vocabulary");
  command->add_option("-o,--output", arguments->output,
                      "Model file to write, for example source.spm");
  command->add_flag("--overwrite", arguments->overwrite, "Replace that file if it is there");
  add_training_options(*command, arguments->training);
  add_model_options(*command, *arguments);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace nmt
