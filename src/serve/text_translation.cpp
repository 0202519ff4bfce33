#include "serve/text_translation.h"

#include <algorithm>
#include <set>

namespace nmt {
namespace {

/// Translates the texts with that path.
void translate_path(const TextsRequest& request, const TranslationPath& path, Service& service,
                    std::vector<TranslatedText>& translated) {
  auto job = request.job;
  job.texts.clear();
  std::vector<size_t> places;
  for (size_t i = 0; i < request.paths.size(); ++i) {
    if (request.paths[i] != path) continue;
    places.push_back(i);
    job.texts.push_back(request.job.texts[i]);
  }
  job.path = path;
  job.detected = !request.detected.empty();
  job.options = service.options().translation;
  if (!job.split) job.options.split = LineSplit::kNone;
  job.options.n_best = request.alternatives + 1;
  job.options.beam_size = beam_for(job.options.n_best, job.options);
  job.options.scores = job.options.n_best > 1;
  const auto leg = service.reach_last_model(job);
  const auto texts = service.parse(leg.texts, *leg.model, job.format, job.split);
  const auto translations =
      service.translate(leg.model, texts, leg.options, leg.kept, job.has_left);
  for (size_t i = 0; i < texts.size(); ++i) {
    auto& one = translated[places[i]];
    one.text = texts[i].render(translations[i]);
    auto& others = one.alternatives;
    for (int64_t rank = 1; rank <= request.alternatives; ++rank) {
      auto text = texts[i].render(translations[i], static_cast<size_t>(rank));
      const bool is_new =
          text != one.text && std::find(others.begin(), others.end(), text) == others.end();
      if (is_new) others.push_back(std::move(text));
    }
    one.pivot = leg.pivot;
  }
}

}  // namespace

void find_paths(TextsRequest& request, const std::string& source, const std::string& target,
                const Service& service) {
  if (source != "auto") {
    request.paths.assign(request.job.texts.size(), service.path_unless_same(source, target));
    return;
  }
  const auto& texts = request.job.texts;
  for (size_t i = 0; i < texts.size(); ++i) {
    try {
      const auto found =
          service.detect_path(Service::visible_text({texts[i]}, request.job.format), target);
      request.detected.push_back(found.language);
      request.paths.push_back(found.unchanged ? TranslationPath() : found.path);
    } catch (const HttpError& error) {
      if (texts.size() == 1) throw;
      throw HttpError(error.status(), "text " + std::to_string(i + 1) + ": " + error.what());
    }
  }
}

std::vector<TranslatedText> translate_texts(const TextsRequest& request, Service& service) {
  std::vector<TranslatedText> translated;
  for (const auto& text : request.job.texts) translated.push_back({text, {}, ""});
  std::set<TranslationPath> paths(request.paths.begin(), request.paths.end());
  paths.erase(TranslationPath());
  for (const auto& path : paths) translate_path(request, path, service, translated);
  return translated;
}

}  // namespace nmt
