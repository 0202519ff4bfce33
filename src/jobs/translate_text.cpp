#include "jobs/translate_text.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "attention_views/attention_file.h"
#include "attention_views/attention_grid.h"
#include "checkpoint/model_directory.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/file.h"
#include "files/line_reader.h"
#include "files/output_file.h"
#include "jobs/interrupt_watch.h"
#include "jobs/line_queue.h"
#include "markup/unsupported_format.h"
#include "office/office_file.h"
#include "text/word_vocabulary.h"
#include "translate/minimum_bayes_risk.h"
#include "translate/nearest_candidate.h"
#include "translate/untranslated_texts.h"
#include "unicode/code_points.h"
#include "unicode/utf8.h"

namespace nmt {
namespace {

/// A line of the input.
struct SourceText {
  int64_t number = 0;  // from 1, within the shard or the file
  const std::string& text;
  const LineGuide& guide;  // empty without guides
};

/// Whether the input is a terminal or a pipe, so that lines arrive over time.
bool arrives_over_time(const std::filesystem::path& input) {
  struct stat status {};
  const bool known =
      input == "-" ? ::fstat(STDIN_FILENO, &status) == 0 : ::stat(input.c_str(), &status) == 0;
  return known && !S_ISREG(status.st_mode);
}

/// Whether the input is a file that is all there.
bool has_file(const TranslationRequest& request) {
  return request.input != "-" && !arrives_over_time(request.input);
}

/// Whether the output can be a PartFile, which neither compresses nor follows links.
bool is_plain_file(const std::filesystem::path& path) {
  return !path.empty() && path != "-" && !is_gzip_name(path) && path == link_target(path) &&
         !is_written_in_place(path);
}

/// Whether outputs name lines by their numbers in the whole input.
bool is_numbered(const TranslationRequest& request) {
  return request.format.json || request.format.n_best || !request.attention.empty() ||
         !request.guides.names().empty();
}

std::string shard_suffix(const Shard& shard) {
  return shard.is_whole() ? "" : " of shard " + shard.name();
}

/// The outputs of each line.
std::vector<std::filesystem::path> job_files(const TranslationRequest& request) {
  std::vector<std::filesystem::path> files = {request.output};
  if (!request.alignments.empty()) files.emplace_back(request.alignments);
  return files;
}

/// Counts texts that the model cannot read: those split into subwords, lines with markup, and texts
/// whose letters are mostly in scripts that it does not know, since the input is in the wrong
/// language or the model is for the other direction.
class ForeignTexts {
 public:
  ForeignTexts(const Translator& translator, const TranslationRequest& request)
      : translator_(translator), request_(request) {}

  void add(const std::string& text, const Translation& translation) {
    if (request_.options.pass_through || trimmed(text, " \t\r").empty()) return;
    ++texts_;
    if (!translator_.reads_tokens() && is_split_into_subwords(text)) ++split_;
    const auto markup = first_markup(text);
    if (!markup.empty() && !translator_.reads_markup(markup) && ++marked_ == 1) markup_ = markup;
    if (translation.passed_through) return;  // there is nothing to translate: "10 kg"
    const auto script = translator_.foreign_script(text);
    if (script.empty()) return;
    ++foreign_;
    script_ = script;
  }

  /// Warns if most texts are such, or any has markup. `what`: how the message calls them.
  void warn(const char* what) const {
    if (marked_ > 0) {
      const bool is_text = !is_document(request_);  // in documents, it is typed as text
      log_warning("{}{}: {} of {} have markup, such as {}, that the model does not know{}", what,
                  shard_suffix(request_.shard), marked_, texts_, markup_,
                  is_text ? "; use --format html-lines" : "");
    }
    if (2 * split_ > texts_) {
      log_warning("{}{}: {} of {} are {}", what, shard_suffix(request_.shard), split_, texts_,
                  kSplitIntoSubwords);
    }
    if (2 * foreign_ <= texts_) return;
    log_warning(
        "{}{} in scripts that the model does not know ({}): {} of {}; check the language of the "
        "input and the direction of the model",
        what, shard_suffix(request_.shard), script_, foreign_, texts_);
  }

 private:
  const Translator& translator_;
  const TranslationRequest& request_;
  int64_t texts_ = 0;
  int64_t split_ = 0;
  int64_t marked_ = 0;
  int64_t foreign_ = 0;
  std::string markup_;  // the first
  std::string script_;  // of the last foreign text
};

/// Counts the texts that have a term of --terms, and the translations that have its target.
class TermCounts {
 public:
  void add(const Translation& translation) {
    ++texts_;
    const auto& terms = translation.terms;
    if (terms.empty()) return;
    ++found_;
    const auto is_used = [&](const TermMatch& term) { return translation.has(term); };
    if (std::all_of(terms.begin(), terms.end(), is_used)) ++used_;
  }

  /// A text that an earlier run has translated.
  void skip() { ++skipped_; }

  /// `what`: how the message calls a text.
  void log(const TranslationRequest& request, const char* what) const {
    if (request.translator.terms.empty()) return;
    const auto file = request.translator.terms.string();
    const auto texts = counted(texts_, what) + shard_suffix(request.shard) +
                       (skipped_ > 0 ? " since the run was resumed" : "");
    if (found_ == 0) {
      log_info("{}: found in none of {}; its first column is in the source language", file, texts);
    } else {
      log_info("{}: found in {} of {}, translated as given in {}", file, found_, texts, used_);
    }
  }

 private:
  int64_t texts_ = 0;
  int64_t found_ = 0;
  int64_t used_ = 0;
  int64_t skipped_ = 0;
};

JobDescription describe(const TranslationRequest& request, const Translator& translator) {
  auto job = request.settings;
  job["nmt"] = NMT_VERSION;
  for (const auto& [name, hash] : translator.fingerprint()) job[name + " (SHA-256)"] = hash;
  if (!request.shard.is_whole()) {
    job["the size of the input"] = std::to_string(std::filesystem::file_size(request.input));
  }
  return job;
}

/// Writes the requested outputs of each line, in order.
class TranslationWriter {
 public:
  TranslationWriter(const Translator& translator, const TranslationRequest& request)
      : request_(request), foreign_(translator, request) {
    if (!request.attention.empty()) {
      pictures_ = std::make_unique<AttentionFile>(request.attention);
    }
    const auto files = job_files(request);
    if (is_resumable(request)) {
      job_ = std::make_unique<TranslationJob>(
          files, [&] { return describe(request, translator); }, request.restart);
      lines_saved_ = job_->lines_saved();
    } else {
      for (const auto& file : files) files_.push_back(std::make_unique<OutputFile>(file));
    }
    log_saved("resuming after");
  }

  int64_t lines_saved() const { return lines_saved_; }

  /// Removes the parts if they have no line; from any thread.
  void discard_empty() const {
    if (job_ && lines_saved() == 0) job_->discard_empty();
  }

  void log_saved(const char* what) const {
    if (lines_saved() == 0) return;
    log_info("{}.part: {} line {}{}", request_.output.string(), what, lines_saved(),
             shard_suffix(request_.shard));
  }

  /// Skips a line that has been translated already.
  void skip(const SourceText& line) {
    job_->skip(content_of(line));
    terms_.skip();
  }

  void add(const SourceText& line, const Translation& translation) {
    const auto& format = request_.format;
    foreign_.add(line.text, translation);
    terms_.add(translation);
    if (translation.candidates.front().untranslated) untranslated_.add(line.text);
    if (find_invalid_utf8(line.text) && ++bad_lines_ <= kBadLinesNamed) warn_of_bytes(line.number);
    write(0, format_translation(line.number, line.text, translation, format));
    if (!request_.alignments.empty()) write(1, format_alignment(translation));
    if (pictures_) pictures_->add(line.number, line.text, translation);
    if (format.attention && !format.json) std::cerr << attention_grid(translation, {}) << '\n';
    if (job_) job_->add(content_of(line));
  }

  /// Translation can be resumed from here: the lines that follow will be batched in the same way.
  void pause() {
    if (!job_) return;
    job_->pause();
    lines_saved_ = job_->lines_saved();
  }

  /// Gives all files their names.
  void finish() {
    if (bad_lines_ > kBadLinesNamed) {
      log_warning("{} lines{} are not valid UTF-8; convert the input, for example with {}",
                  bad_lines_, shard_suffix(request_.shard), kConversion);
    }
    if (pictures_) pictures_->finish();
    if (job_) job_->finish();
    for (size_t i = files_.size(); i-- > 0;) files_[i]->finish();
    terms_.log(request_, "line");
    untranslated_.warn("line");
    foreign_.warn("lines");
  }

 private:
  /// Everything in the input and its guides that the line's translation depends on.
  std::string content_of(const SourceText& line) const {
    auto content = line.text;
    const auto& [constraints, reference] = line.guide;
    if (!constraints.prefix.empty()) content += "\nprefix\t" + constraints.prefix;
    for (const auto& phrase : constraints.phrases) content += "\nconstraint\t" + phrase;
    if (!request_.guides.references.empty()) content += "\nreference\t" + reference;
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

  static constexpr int64_t kBadLinesNamed = 3;

  const TranslationRequest& request_;
  ForeignTexts foreign_;
  TermCounts terms_;
  UntranslatedTexts untranslated_;
  std::atomic<int64_t> lines_saved_{0};             // of job_, for other threads
  int64_t bad_lines_ = 0;                           // lines that are not valid UTF-8
  std::vector<std::unique_ptr<OutputFile>> files_;  // translations, alignments
  std::unique_ptr<TranslationJob> job_;             // instead of files_, if resumable
  std::unique_ptr<AttentionFile> pictures_;
};

// Enough batches in a window to group sentences of similar length.
constexpr size_t kWindowBatches = 16;

class WindowTranslator {
 public:
  WindowTranslator(const Translator& translator, const TranslationRequest& request,
                   LineGuides& guides, size_t first_line, TranslationWriter& writer)
      : translator_(translator),
        request_(request),
        guides_(guides),
        num_lines_(first_line),
        writer_(writer) {}

  void operator()(const std::vector<std::string>& lines) {
    const size_t first = num_lines_;
    num_lines_ += lines.size();
    if (!guides_.empty() && num_lines_ > guides_.size()) return;  // only counts them
    const auto guides = guides_.slice(first, lines.size());
    translator_.require_languages(
        lines,
        shown_name(request_.input) + (is_numbered(request_) ? "" : shard_suffix(request_.shard)),
        "--to", first + 1);
    const auto translations = translated(lines, guides, first);
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto number = static_cast<int64_t>(first + i + 1);
      writer_.add({number, lines[i], guides.empty() ? LineGuide() : guides[i]}, translations[i]);
    }
  }

  void skip(const std::string& line) {
    ++num_lines_;
    const auto guides = guides_.slice(num_lines_ - 1, 1);
    writer_.skip(
        {static_cast<int64_t>(num_lines_), line, guides.empty() ? LineGuide() : guides.front()});
  }

  size_t num_lines() const { return num_lines_; }

 private:
  std::vector<Translation> translated(const std::vector<std::string>& lines,
                                      const std::vector<LineGuide>& guides, size_t first) const
      try {
    const auto& options = request_.options;
    std::vector<TranslationConstraints> constraints;
    std::vector<std::string> references;
    for (const auto& guide : guides) {
      constraints.push_back(guide.constraints);
      references.push_back(guide.reference);
    }
    if (!request_.guides.references.empty()) {
      return translate_nearest(translator_, lines, options, references, constraints);
    }
    return translate_with_least_risk(translator_, lines, options, request_.mbr_candidates,
                                     constraints);
  } catch (const UsageError&) {
    throw;
  } catch (const Error&) {
    if (!guides.empty()) name_culprit(lines, guides, first);
    throw;
  }

  /// Finds the line that causes an Error and throws it with the line's number.
  void name_culprit(const std::vector<std::string>& lines, const std::vector<LineGuide>& guides,
                    size_t first) const {
    auto quick = request_.options;  // constraints fail before the search starts
    quick.beam_size = quick.n_best = quick.diverse_groups = quick.max_length = 1;
    quick.min_length = 0;
    for (size_t i = 0; i < lines.size(); ++i) {
      try {
        translator_.translate({lines[i]}, quick, {guides[i].constraints});
      } catch (const Error& error) {
        throw Error("line " + std::to_string(first + i + 1) + ": " + error.what());
      }
    }
  }

  const Translator& translator_;
  const TranslationRequest& request_;
  LineGuides& guides_;
  size_t num_lines_;
  TranslationWriter& writer_;
};

/// The number of lines before the shard, if it is needed. Throws Error unless there are as many
/// guides as lines.
size_t lines_before(const TranslationRequest& request, const LineGuides& guides) {
  const bool matters = !guides.empty() || (is_numbered(request) && !request.shard.is_whole());
  if (!matters || request.input == "-") return 0;  // standard input can be read only once
  const auto counts = count_lines(request.input, request.shard);
  guides.require_lines(request.input, static_cast<size_t>(counts.all));
  return static_cast<size_t>(counts.before);
}

/// Throws Error if most lines of a text's beginning that are not ASCII are not UTF-8: each would
/// become nonsense. A few are read with U+FFFD.
void refuse_other_encoding(const std::string& name, std::string_view beginning) {
  constexpr int64_t kFew = 3;
  constexpr size_t kCutCharacter = 3;  // bytes that the end of the beginning may have of one
  int64_t marked = 0;
  int64_t bad = 0;
  while (!beginning.empty()) {
    const size_t end = beginning.find('\n');
    const auto line = beginning.substr(0, end);
    const bool is_marked = std::any_of(
        line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
    const auto invalid = find_invalid_utf8(line);
    if (is_marked) ++marked;
    if (invalid && (end != line.npos || *invalid + kCutCharacter < line.size())) ++bad;
    beginning.remove_prefix(end == line.npos ? line.size() : end + 1);
  }
  if (bad < kFew || 2 * bad <= marked) return;
  throw Error(name + ": not UTF-8; convert it, for example with " + std::string(kConversion));
}

/// Translates each line: always one result per line, in order. A file is processed window by
/// window, so that memory does not grow with it; lines that arrive over time are translated at
/// once, together with those already waiting. Throws Error unless there are no guides or one for
/// each line of the whole input; for a file before anything is translated.
void translate_lines(const Translator& translator, const TranslationRequest& request,
                     LineGuides& guides, TranslationWriter& writer) {
  const auto& options = request.options;
  const size_t window =
      kWindowBatches * static_cast<size_t>(std::max<int64_t>(options.batch_size, 1));
  const auto check = [name = shown_name(request.input),
                      refuses = request.refuses_documents](std::string_view beginning) {
    if (refuses) refuse_unsupported(name, unsupported_content(beginning));
    refuse_other_encoding(name, beginning);
  };
  if (arrives_over_time(request.input)) {
    WindowTranslator translate(translator, request, guides, 0, writer);
    const auto queue = LineQueue::start(request.input, window, check);
    for (auto lines = queue->take(); !lines.empty(); lines = queue->take()) translate(lines);
    guides.require_lines(request.input, translate.num_lines());
    return;
  }
  WindowTranslator translate(translator, request, guides, lines_before(request, guides), writer);
  ShardReader reader(request.input, request.shard, check);
  std::string line;
  const int64_t done = writer.lines_saved();
  for (int64_t i = 0; i < done && reader.next(line); ++i) translate.skip(line);
  std::vector<std::string> lines;
  while (reader.next(line)) {
    lines.push_back(line);
    if (lines.size() < window) continue;
    translate(lines);
    lines.clear();
    writer.pause();
  }
  if (!lines.empty()) translate(lines);
  if (request.shard.is_whole()) guides.require_lines(request.input, translate.num_lines());
}

struct OutputOption {
  const char* name;
  std::filesystem::path path;  // empty: none
};

/// All files that are written, including unfinished ones.
std::vector<OutputOption> outputs_of(const TranslationRequest& request) {
  std::vector<OutputOption> outputs = {{"--output", request.output},
                                       {"--alignments", request.alignments},
                                       {"--attention", request.attention}};
  if (!is_resumable(request)) return outputs;
  for (auto& file : TranslationJob::unfinished_files(job_files(request))) {
    outputs.push_back({"a file of the unfinished translation", std::move(file)});
  }
  return outputs;
}

void require_different(const OutputOption& a, const OutputOption& b) {
  if (a.path.empty() || b.path.empty() || !is_same_file(a.path, b.path)) return;
  throw UsageError(std::string(a.name) + " and " + b.name + ": both are " + a.path.string() +
                   "; use two files");
}

void require_separate_files(const TranslationRequest& request) {
  const auto outputs = outputs_of(request);
  std::vector<std::filesystem::path> paths;
  for (size_t i = 0; i < outputs.size(); ++i) {
    paths.push_back(outputs[i].path);
    for (size_t k = 0; k < i; ++k) require_different(outputs[i], outputs[k]);
  }
  const auto& translator = request.translator;
  auto inputs = request.guides.names();
  inputs.insert(inputs.end(),
                {request.input, translator.terms, translator.shortlist, translator.language_model});
  require_not_input(paths, inputs);
  require_not_model(paths, translator.model_dirs);
}

/// From a pipe, this may take long.
LineGuides read_guides(const GuideFiles& files) {
  const InterruptWatch watch([] { log_info("interrupted before the first line"); });
  return LineGuides(files);
}

void translate_markup(const TranslationRequest& request) {
  const Translator translator(request.translator);
  const auto& languages = translator.target_languages();
  if (!languages.empty() && translator.target_language().empty()) {
    throw UsageError(shown_name(request.input) +
                     ": a document names no target language; use --to, such as --to " +
                     languages.front());
  }
  ForeignTexts foreign(translator, request);
  TermCounts terms;
  const auto translations = [&](const Document& document) {
    auto found = translations_of(translator, document, request.options);
    for (size_t i = 0; i < found.size(); ++i) {
      foreign.add(document.sentences()[i], found[i]);
      terms.add(found[i]);
    }
    return found;
  };
  OutputFile output(request.output);
  try {
    const InterruptWatch watch([&] {
      output.discard();
      log_info("interrupted: {} is not translated", shown_name(request.input));
    });
    const auto bytes = LineReader(request.input).rest();
    const auto splitter = make_splitter(translator, request.options);
    if (is_office_input(request)) {
      OfficeFile file(bytes, splitter);
      std::vector<std::vector<Translation>> all;
      for (const auto& part : file.documents()) all.push_back(translations(part));
      output.write(file.render(all));
    } else {
      const Document document(bytes, request.document_format, splitter);
      output.write(document.render(translations(document)));
    }
  } catch (const MarkupError& error) {
    throw Error(shown_name(request.input) + ": " + error.what());
  }
  output.finish();
  terms.log(request, "sentence");
  foreign.warn("sentences");
}

}  // namespace

bool is_office_input(const TranslationRequest& request) {
  return is_office_file(uncompressed_name(request.input));
}

bool is_document(const TranslationRequest& request) {
  return request.document_format != DocumentFormat::kText || is_office_input(request);
}

void complete(TranslationRequest& request) {
  auto& options = request.options;
  auto& format = request.format;
  const bool pictures = !request.attention.empty();
  format.n_best |= options.n_best > 1;
  format.words = format.json;
  format.attention = options.attention && !pictures;
  options.words = format.json || !request.alignments.empty() || options.attention;
  options.scores = format.json || format.scores || format.n_best || pictures;
  require_valid(options);
  if (!request.guides.references.empty() && (options.sample || options.beam_size == 1)) {
    throw UsageError("--nearest-to: chooses from a beam; use --beam-size 5, without --sample");
  }
  require_separate_files(request);
  if (is_office_input(request) && request.output == "-" && ::isatty(STDOUT_FILENO) == 1) {
    throw UsageError(
        "--output: a word processor's file is not written to a terminal; use --output FILE");
  }
  if (!request.shard.is_whole() && !has_file(request)) {
    throw UsageError("--shard: needs a regular file; use --input FILE");
  }
}

bool is_resumable(const TranslationRequest& request) {
  return !is_document(request) && has_file(request) && request.attention.empty() &&
         is_plain_file(request.output) &&
         (request.alignments.empty() || is_plain_file(request.alignments));
}

void translate_text(const TranslationRequest& request) {
  if (is_document(request)) return translate_markup(request);
  const Translator translator(request.translator);
  if (!request.alignments.empty()) translator.require_attention();
  auto guides = read_guides(request.guides);
  if (has_file(request)) {
    LineReader reader(request.input);
    refuse_other_encoding(request.input, reader.require_text());  // before an output is created
  }
  TranslationWriter writer(translator, request);
  const int64_t done = writer.lines_saved();
  try {
    {
      // Safe at any moment: what a TranslationJob has saved is always consistent.
      const InterruptWatch watch([&] {
        writer.discard_empty();
        if (writer.lines_saved() == 0) log_info("interrupted before the first lines were saved");
        writer.log_saved("rerun the command to resume after");
      });
      translate_lines(translator, request, guides, writer);
    }
    writer.finish();
  } catch (...) {
    if (writer.lines_saved() > done) writer.log_saved("rerun the command to resume after");
    throw;
  }
}

}  // namespace nmt
