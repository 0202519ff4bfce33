#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "config/settings.h"
#include "text/tokenizer.h"

namespace nmt {

/// What determines a run. A resumed run must have the same.
struct RunFingerprint {
  Settings settings;
  int threads = 1;
  std::string program;                         // versions of nmt and LibTorch
  std::map<std::string, std::string> content;  // SHA-256 of corpora and vocabularies, by name
};

/// Whether a setting names a text or vocabulary, which is compared by its content, or describes
/// one.
bool is_of_file(const std::string& setting);

/// The files of the training corpora, by their names in `content`: sources, targets, alignments and
/// weights.
std::map<std::string, std::string> training_texts(const DataConfig& data);

/// The texts whose sentences a run leaves out of training, by their names in `content`: its
/// validation and test sets where data.hold_out is above 0.
std::map<std::string, std::string> held_out_texts(const DataConfig& data);

/// SHA-256 of the corpora and of the vocabularies.
std::map<std::string, std::string> hash_content(const Settings& settings,
                                                const Tokenizers& tokenizers);

RunFingerprint make_fingerprint(const Settings& settings,
                                std::map<std::string, std::string> content);

/// Throws Error that names the run's directory and every changed setting, old → new, that cannot
/// change within a run: the network's, for example. Before validate(), since half a change of them
/// may fit no network.
void require_same_network(const std::filesystem::path& directory, const RunFingerprint& before,
                          const Settings& now);

/// Throws Error that names the directory and every change, old → new, that would make the resumed
/// run a different one; with `accept`, only those that cannot work. Logs the harmless ones.
void require_same_fingerprint(const std::filesystem::path& directory, const RunFingerprint& before,
                              const RunFingerprint& now, bool accept);

}  // namespace nmt
