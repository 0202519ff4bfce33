#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "config/settings.h"
#include "text/tokenizer.h"
#include "train/training_inputs.h"

namespace nmt {

/// What a run is a function of. A run that is resumed has to have the same.
struct RunOrigin {
  Settings settings;
  int threads = 1;
  std::string program;                         // versions of nmt and LibTorch
  std::map<std::string, std::string> content;  // SHA-256 of corpora and vocabularies, by name
};

/// What `content` calls a side ("source" or "target") of a training corpus, the first of which is
/// 0.
std::string training_text_name(const std::string& side, size_t corpus);

/// SHA-256 of the corpora, which are read unless the cache knows it, and of the vocabularies.
std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers,
                                                const std::filesystem::path& cache_dir);

RunOrigin describe_origin(const Settings& settings, std::map<std::string, std::string> content);

nlohmann::json to_json(const RunOrigin& origin);
RunOrigin origin_from_json(const nlohmann::json& json);

/// Throws Error that names every change, old → new, that would make the resumed run another one;
/// with `accept`, only those that cannot work. What may change is logged.
void require_same_origin(const RunOrigin& before, const RunOrigin& now, bool accept);

}  // namespace nmt
