#include "jobs/translate_text.h"

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attention_views/attention_file.h"
#include "attention_views/attention_grid.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "jobs/line_guides.h"
#include "jobs/line_stream.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

bool is_new_file(const std::filesystem::path& path) {
  return !path.empty() && path != "-" && !is_written_in_place(path);
}

/// Whether outputs name lines by their numbers in the whole input.
bool is_numbered(const TranslationRequest& request) {
  return request.format.json || request.format.n_best || !request.attention.empty() ||
         !request.prefixes.empty() || !request.constraints.empty();
}

std::string shard_suffix(const Shard& shard) {
  return shard.is_whole() ? "" : " of shard " + shard.name();
}

/// Writes the requested outputs of each line.
class TranslationWriter : public LineSink {
 public:
  TranslationWriter(const TranslationRequest& request, std::function<JobDescription()> describe)
      : request_(request) {
    if (!request.attention.empty()) {
      pictures_ = std::make_unique<AttentionFile>(request.attention);
    }
    std::vector<std::filesystem::path> files = {request.output};
    if (!request.alignments.empty()) files.emplace_back(request.alignments);
    if (is_resumable(request)) {
      TranslationJob::Options options;
      options.restart = request.restart;
      job_ = std::make_unique<TranslationJob>(files, std::move(describe), options);
    } else {
      for (const auto& file : files) files_.push_back(std::make_unique<OutputFile>(file));
    }
    log_saved("resuming after");
  }

  int64_t lines_saved() const { return job_ ? job_->lines_saved() : 0; }

  void log_saved(const char* what) const {
    if (lines_saved() == 0) return;
    log_info("{}.part: {} line {}{}", request_.output.string(), what, lines_saved(),
             shard_suffix(request_.shard));
  }

  void skip(const SourceText& line) override { job_->skip(content_of(line)); }

  void add(const SourceText& line, const Translation& translation) override {
    const auto& format = request_.format;
    if (find_invalid_utf8(line.text)) warn_of_bytes(line.number);
    write(0, format_translation(line.number, line.text, translation, format));
    if (!request_.alignments.empty()) write(1, format_alignment(translation));
    if (pictures_) pictures_->add(line.number, line.text, translation);
    if (format.attention && !format.json) std::cerr << attention_grid(translation, {}) << '\n';
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
  /// All that the line's translation depends on.
  static std::string content_of(const SourceText& line) {
    auto content = line.text;
    if (!line.guide.prefix.empty()) content += "\nprefix\t" + line.guide.prefix;
    for (const auto& phrase : line.guide.phrases) content += "\nconstraint\t" + phrase;
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
    log_warning("line {}{}: not valid UTF-8; the bad bytes are read as U+FFFD", number,
                is_numbered(request_) ? "" : shard_suffix(request_.shard));
  }

  const TranslationRequest& request_;
  std::vector<std::unique_ptr<OutputFile>> files_;  // translations, alignments
  std::unique_ptr<TranslationJob> job_;             // instead of files_, if resumable
  std::unique_ptr<AttentionFile> pictures_;
};

JobDescription describe(const TranslationRequest& request, const Translator& translator) {
  auto job = request.settings;
  job["nmt"] = NMT_VERSION;
  job["the model (SHA-256)"] = translator.fingerprint();
  if (!request.shard.is_whole()) {
    job["the size of the input"] = std::to_string(std::filesystem::file_size(request.input));
  }
  return job;
}

void require_other_than_output(const char* option, const std::filesystem::path& path,
                               const TranslationRequest& request) {
  if (path.empty() || path != request.output) return;
  throw UsageError(std::string(option) + " and --output: both are " + path.string() +
                   "; use two files");
}

void translate_markup(const TranslationRequest& request) {
  const Translator translator(request.translator);
  const auto document = LineReader(request.input).rest();
  OutputFile output(request.output);
  try {
    output.write(
        translate_document(translator, document, request.document_format, request.options));
  } catch (const MarkupError& error) {
    throw Error((request.input == "-" ? "standard input" : request.input.string()) + ": " +
                error.what());
  }
  output.finish();
}

}  // namespace

void complete(TranslationRequest& request) {
  auto& options = request.options;
  auto& format = request.format;
  const bool pictures = !request.attention.empty();
  format.n_best = options.n_best > 1;
  format.words = format.json;
  format.attention = options.attention && !pictures;
  options.words = format.json || !request.alignments.empty() || options.attention;
  options.scores = format.json || format.scores || format.n_best || pictures;
  require_valid(options);
  require_other_than_output("--alignments", request.alignments, request);
  require_other_than_output("--attention", request.attention, request);
  if (request.shard.is_whole()) return;
  if (request.input != "-" && !arrives_over_time(request.input)) return;
  throw UsageError("--shard: needs a regular file; use --input FILE");
}

bool is_resumable(const TranslationRequest& request) {
  return request.document_format == DocumentFormat::kText && request.input != "-" &&
         !arrives_over_time(request.input) && request.attention.empty() &&
         is_new_file(request.output) &&
         (request.alignments.empty() || is_new_file(request.alignments));
}

void translate_text(const TranslationRequest& request) {
  if (request.document_format != DocumentFormat::kText) return translate_markup(request);
  const Translator translator(request.translator);
  LineGuides guides(request.prefixes, request.constraints);
  TranslationWriter writer(request, [&] { return describe(request, translator); });
  const StreamInput input = {request.input, request.shard, is_numbered(request),
                             writer.lines_saved()};
  try {
    translate_stream(translator, input, request.options, guides, writer);
    writer.finish();
  } catch (...) {
    if (writer.lines_saved() > input.done) writer.log_saved("rerun the command to resume after");
    throw;
  }
}

}  // namespace nmt
