#include "train/adapt.h"

#include <ATen/Parallel.h>
#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "checkpoint/model.h"
#include "config/dropout_rates.h"
#include "data/batch.h"
#include "errors/counted.h"
#include "errors/error.h"
#include "errors/log.h"
#include "files/json.h"
#include "files/line_reader.h"
#include "files/paired_lines.h"
#include "files/side_names.h"
#include "nn/device.h"
#include "text/placeholders.h"
#include "text/recaser.h"
#include "text/sentence_splitter.h"
#include "text/special_tokens.h"
#include "text/target_languages.h"
#include "text/vocabulary_growth.h"
#include "text/written_words.h"
#include "threads/threads.h"
#include "train/objectives/objective.h"
#include "train/steps/training_step.h"
#include "unicode/characters.h"
#include "unicode/letter_case.h"

namespace nmt {
namespace {

constexpr double kLearned = 0.15;  // stop below this mean loss per target token, in nats
constexpr double kClipNorm = 1.0;
constexpr size_t kMaxPairs = 1000;  // all are one batch
constexpr size_t kMaxTokens = 500;
constexpr char kForMore[] = ", or train on them with train.initial_model (docs/small-data.md)";
constexpr size_t kSample = 200;  // validation sentences
constexpr size_t kSampleBatch = 20;
constexpr double kUnchanged = 1.001;  // tolerance for rounding, relative to the loss

std::string at_line(const std::filesystem::path& path, size_t line, const std::string& what) {
  return path.string() + ": line " + std::to_string(line) + ": " + what;
}

/// Corrections as translation reads and writes them.
struct Corrections {
  PairedLines texts;
  std::vector<size_t> lines;  // of each pair, its number in the files
  size_t skipped = 0;
  std::string first_skipped;  // its place and the reason

  void skip(const std::string& reason) {
    if (skipped++ == 0) first_skipped = reason;
  }
};

/// The languages of the model's training texts, if their names end in these.
std::optional<SideNames> trained_sides(const DataConfig& data) {
  if (data.train_source.empty() || data.train_target.empty()) return std::nullopt;
  return side_names(data.train_source.front(), data.train_target.front());
}

/// The pairs of a file of nmt serve --suggestions.
PairedLines read_suggestions(const std::filesystem::path& path, const TargetLanguages& languages,
                             const DataConfig& data) {
  PairedLines pairs;
  std::string direction;
  for (const auto& line : read_lines(path)) try {
      const auto suggestion = parse_json(line);
      const auto target = suggestion.at("target").get<std::string>();
      const auto into = suggestion.at("source").get<std::string>() + " to " + target;
      if (direction.empty()) direction = into;
      if (languages.empty() && into != direction) {
        throw Error(at_line(path, pairs.sources.size() + 1,
                            into + ", but line 1 is " + direction + "; keep one direction"));
      }
      pairs.targets.push_back(suggestion.at("s"));
      pairs.sources.push_back((languages.empty() ? "" : language_marker(target)) +
                              suggestion.at("q").get<std::string>());
    } catch (const nlohmann::json::exception&) {
      throw Error(
          at_line(path, pairs.sources.size() + 1,
                  "not a suggestion as nmt serve writes them; use --target for plain text"));
    }
  if (const auto trained = trained_sides(data)) {
    const auto& [source, target] = *trained;
    if (languages.empty() && direction == target + " to " + source) {
      throw Error(path.string() + ": from " + direction + ", but the model translates from " +
                  source + " into " + target);
    }
  }
  return pairs;
}

/// Throws Error if both files are one, and warns if their names end in the model's languages, but
/// swapped.
void check_sides(const AdaptRequest& request, const DataConfig& data) {
  std::error_code missing;  // reading reports it
  if (std::filesystem::equivalent(request.source, request.target, missing)) {
    throw Error(request.source.string() + ": is both --source and --target; use two files");
  }
  const auto trained = trained_sides(data);
  const auto given = side_names(request.source, request.target);
  if (!trained || !given || given->first != trained->second || given->second != trained->first) {
    return;
  }
  log_warning("--source {} and --target {}: the model translates from {} into {}; swap them",
              request.source.string(), request.target.string(), trained->first, trained->second);
}

/// The pair as the model reads and writes it: the translation of a sentence in capitals is
/// capitalized afterwards, that of one in title case stays in ordinary case.
SentencePair in_ordinary_case(SentencePair pair, const Recaser& source, const Recaser& target) {
  const auto ordinary = source.ordinary(pair.source, letter_case_of(pair.source));
  if (!ordinary) return pair;
  pair.source = *ordinary;
  if (const auto own = target.ordinary(pair.target, letter_case_of(pair.target))) {
    pair.target = *own;
  }
  return pair;
}

/// Reads the corrections: single sentences unless the model translates whole lines, in ordinary
/// case, with placeholders if the model uses them.
Corrections read_corrections(const AdaptRequest& request, const StoredModel& model) {
  const TargetLanguages languages(model.source);
  if (!request.target.empty()) check_sides(request, model.settings.data);
  const auto written = request.target.empty()
                           ? read_suggestions(request.source, languages, model.settings.data)
                           : read_paired_lines(request.source, request.target);
  if (written.sources.empty() || written.sources.size() > kMaxPairs) {
    throw Error(fmt::format("{}: {} corrections; use 1 to {}{}", request.source.string(),
                            written.sources.size(), kMaxPairs,
                            written.sources.empty() ? "" : kForMore));
  }
  languages.require_lines(written.sources, request.source);
  const auto placeholders = placeholders_of({model.source, model.target});
  const auto& data = model.settings.data;
  const SentenceHints hints{{data.sentence_starters.begin(), data.sentence_starters.end()}};
  const Recaser source_recaser(model.source);
  const Recaser target_recaser(model.target);
  Corrections corrections;
  for (size_t i = 0; i < written.sources.size(); ++i) {
    const auto marked =
        languages.empty() ? MarkedLine{"", written.sources[i]} : split_marker(written.sources[i]);
    std::vector<std::string> sources = {std::string(marked.text)};
    std::vector<std::string> targets = {written.targets[i]};
    const auto sentences = split_text(marked.text, hints).sentences;
    if (sentences.size() > 1 && data.lines != LineUnit::kParagraphs) {
      sources = sentences;
      targets = split_text(written.targets[i]).sentences;
    }
    if (sources.size() != targets.size()) {
      corrections.skip(at_line(request.source, i + 1,
                               fmt::format("{} sentences, which are translated one by one, but {} "
                                           "in the translation; use a line for each",
                                           sources.size(), targets.size())));
      continue;
    }
    for (size_t k = 0; k < sources.size(); ++k) {
      const auto pair = in_ordinary_case(with_placeholders({sources[k], targets[k]}, placeholders),
                                         source_recaser, target_recaser);
      const auto marker = language_marker(marked.language);
      corrections.texts.sources.push_back(marker + pair.source);
      corrections.texts.targets.push_back(pair.target);
      corrections.lines.push_back(i + 1);
    }
  }
  if (corrections.lines.size() > kMaxPairs) {
    throw Error(request.source.string() + ": " + std::to_string(corrections.lines.size()) +
                " sentences in the corrections; use at most " + std::to_string(kMaxPairs) +
                kForMore);
  }
  return corrections;
}

/// The characters of a correction that the model has no piece for. A model that learns the unknown
/// piece writes it, and translation replaces it only by what the source has.
std::string unwritable(const std::string& source, const std::string& target,
                       const Tokenizer& tokenizer) {
  const auto is_lost = [&](std::string_view text) {
    const auto tokens = tokenizer.encode(text);
    return std::find(tokens.begin(), tokens.end(), kUnknownId) != tokens.end() &&
           source.find(text) == std::string::npos;
  };
  for (const auto& word : written_words(target)) {
    if (!is_lost(word)) continue;
    if (tokenizer.reads_tokens()) return word;  // its pieces are words
    std::string lost;
    for (const auto& character : split_characters(word)) {
      if (is_lost(character.bytes)) lost += character.bytes;
    }
    if (!lost.empty()) return lost;
  }
  return "";
}

/// The corrections that the model can learn; skips the others. Throws Error if none is left.
Batch batch_of(const AdaptRequest& request, Corrections& corrections, const StoredModel& model) {
  const auto& target_file = request.target.empty() ? request.source : request.target;
  const TargetLanguages languages(model.source);
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  for (size_t i = 0; i < corrections.lines.size(); ++i) {
    const auto& [source, target] =
        std::tie(corrections.texts.sources[i], corrections.texts.targets[i]);
    auto read = languages.encode(source, model.source);
    auto written = model.target.encode(target);
    const auto is_usable = [](size_t tokens) { return tokens > 0 && tokens <= kMaxTokens; };
    const bool source_fits = is_usable(read.size());
    if (!source_fits || !is_usable(written.size())) {
      corrections.skip(
          at_line(source_fits ? target_file : request.source, corrections.lines[i],
                  fmt::format("{} tokens; a correction needs 1 to {}",
                              source_fits ? written.size() : read.size(), kMaxTokens)));
    } else if (const auto lost = unwritable(source, target, model.target); !lost.empty()) {
      corrections.skip(at_line(target_file, corrections.lines[i],
                               "the model has no piece for '" + lost +
                                   "'; use other characters, or a larger --new-pieces"));
    } else {
      sources.push_back(std::move(read));
      targets.push_back(std::move(written));
    }
  }
  if (sources.empty()) throw Error(corrections.first_skipped);
  if (corrections.skipped > 0) {
    log_warning("skipped {}; the first: {}", counted(corrections.skipped, "correction"),
                corrections.first_skipped);
  }
  return make_batch(sources, targets);
}

/// A sample of the model's validation texts, in small batches; empty if they are gone.
std::vector<Batch> validation_sample(const AdaptRequest& request, const StoredModel& model,
                                     const torch::Device& device) try {
  const ModelDirectory directory{request.model};
  const auto& data = model.settings.data;
  const auto texts =
      read_paired_lines(directory.text_at(data.valid_source), directory.text_at(data.valid_target));
  const auto placeholders = placeholders_of({model.source, model.target});
  const TargetLanguages languages(model.source);
  std::vector<Batch> batches;
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int32_t>> targets;
  const size_t size = std::min(texts.sources.size(), kSample);
  for (size_t k = 0; k < size; ++k) {
    const size_t i = k * texts.sources.size() / size;
    const auto pair = with_placeholders({texts.sources[i], texts.targets[i]}, placeholders);
    auto source = languages.encode(pair.source, model.source);
    auto target = model.target.encode(pair.target);
    if (!source.empty() && source.size() + target.size() <= kMaxTokens) {
      sources.push_back(std::move(source));
      targets.push_back(std::move(target));
    }
    if (sources.empty() || (sources.size() < kSampleBatch && k + 1 < size)) continue;
    batches.push_back(make_batch(sources, targets).to(device));
    sources.clear();
    targets.clear();
  }
  return batches;
} catch (const Error&) {
  return {};
}

/// Mean loss per target token.
double loss_of(Seq2Seq& network, const std::vector<Batch>& batches) {
  const torch::NoGradGuard no_gradient;
  double sum = 0.0;
  int64_t tokens = 0;
  for (const auto& batch : batches) {
    sum += batch_loss(network, batch, {}).negative_log_likelihood.item<double>();
    tokens += batch.num_target_tokens;
  }
  return sum / static_cast<double>(tokens);
}

/// Both vocabularies with new pieces; a joint vocabulary stays joint.
struct Growth {
  GrownVocabulary source;
  GrownVocabulary target;
};

Growth grow(const StoredModel& model, PairedLines texts, int64_t new_pieces) {
  auto& [sources, targets] = texts;
  const bool names_language = !TargetLanguages(model.source).empty();
  for (auto& line : sources) {
    if (names_language) line = std::string(split_marker(line).text);
  }
  if (model.source.bytes() != model.target.bytes()) {
    return {grow_vocabulary(model.source, sources, new_pieces),
            grow_vocabulary(model.target, targets, new_pieces)};
  }
  sources.insert(sources.end(), targets.begin(), targets.end());
  const auto both = grow_vocabulary(model.source, sources, new_pieces);
  return {both, both};
}

/// The network with a new row for each new piece, appended: the mean of the rows of the pieces that
/// spelled it.
Seq2Seq grown_network(const Seq2Seq& old, const Growth& growth) {
  auto options = old->options();
  options.source_vocabulary_size = growth.source.tokenizer.vocabulary_size();
  options.target_vocabulary_size = growth.target.tokenizer.vocabulary_size();
  auto network = make_seq2seq(options);
  const torch::NoGradGuard no_gradient;
  auto parameters = network->named_parameters();
  for (const auto& parameter : old->named_parameters()) {
    auto& grown = parameters[parameter.key()];
    const auto& rows = parameter.value();  // [V, …]; other parameters keep their shape
    const int64_t size = rows.size(0);
    grown.narrow(0, 0, size).copy_(rows);
    if (grown.size(0) == size) continue;
    const bool is_source = parameter.key().rfind("emb_src", 0) == 0;
    const auto& spelled = is_source ? growth.source.spelled : growth.target.spelled;
    for (size_t i = 0; i < spelled.size(); ++i) {
      const std::vector<int64_t> pieces(spelled[i].begin(), spelled[i].end());
      const auto mean = rows.index_select(0, torch::tensor(pieces)).mean(0);
      grown.select(0, size + static_cast<int64_t>(i)).copy_(mean);
    }
  }
  return network;
}

struct Progress {
  int64_t steps = 0;
  double before = 0.0;  // mean loss per target token
  double after = 0.0;
};

Progress learn(const Seq2Seq& network, const Batch& batch, const torch::Device& device,
               const AdaptRequest& request) {
  TrainConfig config;
  config.clip_norm = kClipNorm;
  const auto step = make_training_step(network, config, device, number_of_threads(request.threads));
  const auto tokens = static_cast<double>(batch.num_target_tokens);
  Progress progress;
  while (true) {
    progress.after = step->accumulate_gradient(batch, 1.0 / tokens) / tokens;
    if (progress.steps == 0) progress.before = progress.after;
    if (progress.after < kLearned || progress.steps == request.steps) return progress;
    step->update(request.learning_rate);
    ++progress.steps;
  }
}

/// Throws Error if the loss rose, since training has then damaged the model.
void require_learned(const Progress& progress) {
  if (progress.after <= kUnchanged * progress.before) return;
  throw Error(fmt::format("adapt: the token loss rose from {:.3f} to {:.3f}; lower --learning-rate",
                          progress.before, progress.after));
}

}  // namespace

std::string adapt_model(const AdaptRequest& request) {
  const ModelDirectory directory{request.output};
  const auto device = open_device(request.device);
  at::set_num_threads(number_of_threads(request.threads));  // of the losses
  directory.require_no_run(request.overwrite);
  const auto files = read_model_files(request.model);
  auto model = parse_model(files);
  require_translator(model.options, request.model);
  remove_dropout(model.options);
  auto corrections = read_corrections(request, model);
  auto network = make_network(model, torch::kCPU);
  auto parts = files.parts.without_measurements();
  std::string added;
  if (request.new_pieces > 0) {
    const auto growth = grow(model, corrections.texts, request.new_pieces);
    network = grown_network(network, growth);
    model.source = growth.source.tokenizer;
    model.target = growth.target.tokenizer;
    parts.source_tokenizer = model.source.bytes();
    parts.target_tokenizer = model.target.bytes();
    added = fmt::format("new pieces: {} source, {} target; ", growth.source.spelled.size(),
                        growth.target.spelled.size());
  }
  network->to(device);
  const auto batch = batch_of(request, corrections, model).to(device);
  const auto sample = validation_sample(request, model, device);
  const double before = loss_of(network, sample);
  network->train();
  const auto progress = learn(network, batch, device, request);
  network->eval();
  require_learned(progress);
  write_model_directory(directory, parts, network, {{"adapted_from", request.model.string()}});
  const auto kept = sample.empty()
                        ? std::string()
                        : fmt::format("; on validation sentences {:.3f} before, {:.3f} after",
                                      before, loss_of(network, sample));
  return added + fmt::format("token loss {:.3f} before, {:.3f} after {}{}; model saved in {}",
                             progress.before, progress.after, counted(progress.steps, "step"), kept,
                             directory.root.string());
}

}  // namespace nmt
