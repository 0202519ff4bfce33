#pragma once

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

/// Reads the corpora once.
RunOrigin describe_origin(const Settings& settings, const Tokenizers& tokenizers);

/// The same where the hashes are known.
RunOrigin describe_origin(const Settings& settings, std::map<std::string, std::string> content);

/// Of the corpora, which it reads, and the vocabularies.
std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers);

nlohmann::json to_json(const RunOrigin& origin);
RunOrigin origin_from_json(const nlohmann::json& json);

/// Throws Error that names every change, old → new, that would make the resumed run another one;
/// with `accept`, only those that cannot work. What may change is logged.
void require_same_origin(const RunOrigin& before, const RunOrigin& now, bool accept);

}  // namespace nmt
