#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "config/settings.h"
#include "text/tokenizer.h"

namespace nmt {

/// Everything that determines a run's result. A resumed run must have the same.
struct RunFingerprint {
  Settings settings;
  int threads = 1;
  std::string program;                         // versions of nmt and LibTorch
  std::map<std::string, std::string> content;  // SHA-256 of corpora and vocabularies, by name

  /// From `content`, or "".
  std::string hash_of(const std::string& name) const;
};

/// Whether a setting names or describes a text or vocabulary. Those are compared by content.
bool is_of_file(const std::string& setting);

/// The files of the training corpora, by their names in `content`: sources, targets, alignments and
/// weights.
std::map<std::string, std::string> training_texts(const DataConfig& data);

/// SHA-256 of the corpora and of the vocabularies.
std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers);

RunFingerprint make_fingerprint(const Settings& settings,
                                std::map<std::string, std::string> content);

/// Throws Error that names the run's directory and every changed setting, old → new, that must not
/// change within a run, such as those of the network. Call it before validate(), which may reject
/// an inconsistent mix of old and new settings with a less helpful message.
void require_same_network(const std::filesystem::path& directory, const RunFingerprint& before,
                          const Settings& now);

/// Throws Error that names the directory and every change, old → new, that would make the resumed
/// run a different one; with `accept`, only changes that cannot work. Logs harmless changes.
void require_same_fingerprint(const std::filesystem::path& directory, const RunFingerprint& before,
                              const RunFingerprint& now, bool accept);

}  // namespace nmt
