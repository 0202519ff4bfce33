#include <spdlog/spdlog.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "attention_views/attention_file.h"
#include "cli/commands.h"
#include "cli/translation_flags.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/output_file.h"
#include "jobs/line_guides.h"
#include "jobs/line_stream.h"
#include "jobs/output_format.h"
#include "jobs/shard_reader.h"
#include "jobs/translation_job.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

struct TranslateArguments {
  ModelFlags model;
  TranslationOptions options;
  OutputFormat format;
  std::string input = "-";
  std::string output = "-";
  std::string alignments;
  std::string prefixes;
  std::string constraints;
  std::string attention;  // a file for pictures
  std::string shard_name = "1/1";
  Shard shard;
  bool restart = false;

  /// Whether lines have to be known by their numbers in the whole input.
  bool numbered() const {
    return format.json || format.n_best || !attention.empty() || !prefixes.empty() ||
           !constraints.empty();
  }
};

Shard chosen_shard(const TranslateArguments& arguments) {
  const auto shard = parse_shard(arguments.shard_name);
  if (!shard.is_whole() && (arguments.input == "-" || arrives_over_time(arguments.input))) {
    throw UsageError("--shard needs a file (--input FILE): " +
                     std::string(arguments.input == "-" ? "standard input" : arguments.input) +
                     " has no middle to begin at");
  }
  return shard;
}

/// What has to be found out about each translation for what is written of it.
void complete(TranslateArguments& arguments) {
  auto& options = arguments.options;
  auto& format = arguments.format;
  const bool pictures = !arguments.attention.empty();
  format.n_best = options.n_best > 1;
  format.words = format.json;
  format.attention = options.attention && !pictures;
  options.words = format.json || !arguments.alignments.empty() || pictures;
  options.scores = format.json || format.scores || format.n_best || pictures;
  require_valid(options);
  arguments.shard = chosen_shard(arguments);
}

bool is_file_to_be(const std::string& path) {
  return !path.empty() && path != "-" && !is_written_in_place(path);
}

/// From file to file, each line for itself: where a job that was ended can go on.
bool may_go_on(const TranslateArguments& arguments) {
  return arguments.input != "-" && !arrives_over_time(arguments.input) &&
         arguments.attention.empty() && is_file_to_be(arguments.output) &&
         (arguments.alignments.empty() || is_file_to_be(arguments.alignments));
}

/// Writes what is asked for of each line.
class TranslationWriter : public LineSink {
 public:
  TranslationWriter(const TranslateArguments& arguments, std::function<JobDescription()> describe)
      : arguments_(arguments) {
    require_other("--alignments", arguments.alignments);
    require_other("--attention", arguments.attention);
    if (!arguments.attention.empty()) {
      pictures_ = std::make_unique<AttentionFile>(arguments.attention);
    }
    std::vector<std::filesystem::path> files = {arguments.output};
    if (!arguments.alignments.empty()) files.emplace_back(arguments.alignments);
    if (may_go_on(arguments)) {
      TranslationJob::Options options;
      options.restart = arguments.restart;
      job_ = std::make_unique<TranslationJob>(files, std::move(describe), options);
    } else {
      for (const auto& file : files) files_.push_back(std::make_unique<OutputFile>(file));
    }
    tell_saved("going on after");
  }

  int64_t lines_saved() const { return job_ ? job_->lines_saved() : 0; }

  void tell_saved(const char* what) const {
    if (lines_saved() == 0) return;
    const auto& shard = arguments_.shard;
    spdlog::info("{}.part: {} line {}{}", arguments_.output, what, lines_saved(),
                 shard.is_whole() ? "" : " of shard " + shard.name());
  }

  void skip(const SourceText& line) override { job_->skip(content_of(line)); }

  void add(const SourceText& line, const Translation& translation) override {
    const auto& format = arguments_.format;
    if (find_invalid_utf8(line.text)) warn_of_bytes(line.number);
    write(0, format_translation(line.number, line.text, translation, format));
    if (!arguments_.alignments.empty()) write(1, format_alignment(translation));
    if (pictures_) pictures_->add(line.number, line.text, translation);
    if (format.attention && !format.json) std::cerr << attention_picture(translation) << '\n';
    if (job_) job_->add(content_of(line));
  }

  void pause() override {
    if (job_) job_->pause();
  }

  /// Gives all files their names.
  void finish() {
    if (pictures_) pictures_->finish();
    if (job_) job_->finish();
    for (size_t i = files_.size(); i-- > 0;) files_[i]->finish();
  }

 private:
  void require_other(const char* option, const std::string& path) const {
    if (path.empty() || path != arguments_.output) return;
    throw UsageError(std::string(option) + " and --output are the same: " + path);
  }

  /// All that the line's translation depends on.
  static std::string content_of(const SourceText& line) {
    auto content = line.text;
    if (!line.guide.prefix.empty()) content += "\nprefix\t" + line.guide.prefix;
    for (const auto& phrase : line.guide.constraints) content += "\nconstraint\t" + phrase;
    return content;
  }

  void write(size_t file, const std::string& text) {
    if (job_) {
      job_->write(file, text);
    } else {
      files_[file]->write(text);
    }
  }

  void warn_of_bytes(int64_t number) const {
    const auto& shard = arguments_.shard;
    spdlog::warn("line {}{}: not valid UTF-8; the bad bytes are read as U+FFFD", number,
                 shard.is_whole() || arguments_.numbered() ? "" : " of shard " + shard.name());
  }

  const TranslateArguments& arguments_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // translations, alignments
  std::unique_ptr<TranslationJob> job_;             // in their place, where it may go on
  std::unique_ptr<AttentionFile> pictures_;
};

/// The options that translations depend on, as they are given or by default. What names a file is
/// left out: its content counts.
JobDescription deciding_options(const CLI::App& command) {
  static const std::set<std::string> others = {"--help",    "--input",   "--output",
                                               "--restart", "--threads", "--model-dir",
                                               "--lm",      "--prefix",  "--constraints"};
  JobDescription options;
  for (const auto* option : command.get_options()) {
    if (others.count(option->get_name()) > 0) continue;
    std::string value = option->count() > 0 ? "" : option->get_default_str();
    for (const auto& result : option->results()) value += (value.empty() ? "" : " ") + result;
    if (value.empty() && option->count() > 0) value = "given";
    options[option->get_name()] = replace_invalid_utf8(value);
  }
  return options;
}

JobDescription describe(const TranslateArguments& arguments, const CLI::App& command,
                        const Translator& translator) {
  auto job = deciding_options(command);
  job["nmt"] = NMT_VERSION;
  job["the model (SHA-256)"] = translator.fingerprint();
  if (!arguments.shard.is_whole()) {
    job["the size of the input"] = std::to_string(std::filesystem::file_size(arguments.input));
  }
  return job;
}

void run(TranslateArguments& arguments, const CLI::App& command) {
  complete(arguments);
  // First of all: where LibTorch is loaded for it, this begins anew (src/quick_main.cpp).
  const Translator translator(arguments.model.options(arguments.options));
  LineGuides guides(arguments.prefixes, arguments.constraints);
  TranslationWriter writer(arguments, [&] { return describe(arguments, command, translator); });
  const StreamInput input = {arguments.input, arguments.shard, arguments.numbered(),
                             writer.lines_saved()};
  try {
    translate_stream(translator, input, arguments.options, guides, writer);
    writer.finish();
  } catch (...) {
    if (writer.lines_saved() > input.done) writer.tell_saved("the same command goes on after");
    throw;
  }
}

}  // namespace

void add_translate_command(CLI::App& app) {
  auto arguments = std::make_shared<TranslateArguments>();
  auto* command =
      app.add_subcommand("translate", "Translate a file, or standard input, line by line");
  arguments->model.add_to(*command);
  arguments->model.add_fusion_flags(*command);
  command
      ->add_option("-i,--input", arguments->input,
                   "Text to translate, one sentence a line; .gz too")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "File for the translations")
      ->capture_default_str();
  add_translation_flags(*command, arguments->options);
  command->add_flag("--scores", arguments->format.scores,
                    "Write SCORE and a tab before each translation");
  command->add_flag(
      "--json", arguments->format.json,
      "Write one JSON object a line: source, translation, candidates with tokens, words, scores, "
      "alignment and warnings");
  command->add_option("--alignments", arguments->alignments,
                      "File for the word alignments, a line of source-target pairs (0-0 1-2) for "
                      "each translation");
  command->add_option("--prefix", arguments->prefixes,
                      "File with the beginning of each translation, a line for each line of input; "
                      "its last word may be unfinished, an empty one is free");
  command->add_option("--constraints", arguments->constraints,
                      "File with words or phrases that each translation has to hold, "
                      "tab-separated, a line for each line of input");
  auto* attention = command->add_option(
      "--attention", arguments->attention,
      "Draw each sentence's attention: into FILE, a page (.html), a picture (.svg) or data "
      "(.json); "
      "without FILE on standard error; without it and with --json, write its weights");
  attention->expected(0, 1)->type_name("[FILE]");
  command
      ->add_option("--shard", arguments->shard_name,
                   "Translate the I-th of N parts of the input file, for as many machines; their "
                   "outputs one after the other are that of the whole")
      ->type_name("I/N")
      ->capture_default_str();
  command->add_flag("--restart", arguments->restart,
                    "Begin anew where an interrupted translation has left OUTPUT.part, instead of "
                    "going on with it");
  command->callback([arguments, attention, command] {
    arguments->options.attention = attention->count() > 0;
    run(*arguments, *command);
  });
}

}  // namespace nmt
