#include "checkpoint/lexical_shortlist.h"

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string_view>

#include "checkpoint/model_files.h"
#include "checkpoint/stored_tensors.h"
#include "errors/error.h"
#include "files/file.h"
#include "files/sha256.h"

namespace nmt {
namespace {

constexpr int kBits = 64;

template <typename Number>
std::string_view bytes_of(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number)};
}

template <typename Number>
std::vector<Number> read_numbers(const StoredTensors& file, const std::string& name,
                                 const std::string& dtype) {
  const auto& entry = file.at(name);
  if (entry.dtype != dtype || entry.shape.size() != 1) {
    throw Error(file.path + ": " + name + " is not a list of " + dtype +
                "; run nmt shortlist again");
  }
  const auto bytes = file.bytes(entry);
  std::vector<Number> values(bytes.size() / sizeof(Number));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

bool is_sound(const LexicalShortlist& shortlist, int64_t source_vocabulary_size) {
  const auto& ends = shortlist.ends;
  const auto is_token = [&](int32_t token) {
    return token >= 0 && token < shortlist.target_vocabulary_size;
  };
  return static_cast<int64_t>(ends.size()) == source_vocabulary_size && ends.front() >= 0 &&
         ends.back() == static_cast<int64_t>(shortlist.tokens.size()) &&
         std::is_sorted(ends.begin(), ends.end()) &&
         std::all_of(shortlist.tokens.begin(), shortlist.tokens.end(), is_token) &&
         std::all_of(shortlist.frequent.begin(), shortlist.frequent.end(), is_token);
}

}  // namespace

std::vector<int32_t> LexicalShortlist::candidates(const std::vector<int32_t>& source,
                                                  const std::vector<int32_t>& required) const {
  std::vector<uint64_t> marks(static_cast<size_t>(target_vocabulary_size + kBits - 1) / kBits);
  const auto mark = [&](int32_t token) {
    marks[static_cast<size_t>(token / kBits)] |= uint64_t{1} << (token % kBits);
  };
  mark(kUnknownId);
  mark(kEosId);
  for (const int32_t token : frequent) mark(token);
  for (const int32_t token : required) mark(token);
  for (const int32_t token : source) {
    const auto place = static_cast<size_t>(token);
    for (int64_t i = place == 0 ? 0 : ends[place - 1]; i < ends[place]; ++i) {
      mark(tokens[static_cast<size_t>(i)]);
    }
  }
  std::vector<int32_t> all;
  for (size_t place = 0; place < marks.size(); ++place) {
    for (uint64_t left = marks[place]; left != 0; left &= left - 1) {
      all.push_back(static_cast<int32_t>(place) * kBits + __builtin_ctzll(left));
    }
  }
  return all;
}

void write_lexical_shortlist(const std::filesystem::path& path, const LexicalShortlist& shortlist,
                             const Tokenizers& vocabularies) {
  const std::vector<std::string_view> data = {bytes_of(shortlist.ends), bytes_of(shortlist.tokens),
                                              bytes_of(shortlist.frequent)};
  const std::vector<TensorEntry> entries = {
      {"ends", "I64", {static_cast<int64_t>(shortlist.ends.size())}},
      {"tokens", "I32", {static_cast<int64_t>(shortlist.tokens.size())}},
      {"frequent", "I32", {static_cast<int64_t>(shortlist.frequent.size())}}};
  const auto header =
      make_safetensors_header({{"source_vocabulary", sha256(vocabularies.source.bytes())},
                               {"target_vocabulary", sha256(vocabularies.target.bytes())}},
                              entries, data);
  write_file_atomically(path, [&](std::ostream& stream) {
    stream << header;
    for (const auto piece : data) stream << piece;
  });
}

LexicalShortlist read_lexical_shortlist(const std::filesystem::path& path,
                                        const Tokenizers& vocabularies) {
  constexpr char kNone[] = ": not a lexical shortlist; use one of nmt shortlist";
  const bool is_other = std::filesystem::is_regular_file(path) && !may_be_model(path);
  if (is_other) throw Error(path.string() + kNone);
  const auto file = open_safetensors(path);
  const auto is_of = [&](const char* key, const Tokenizer& vocabulary) {
    const auto found = file.header.metadata.find(key);
    if (found == file.header.metadata.end()) {
      throw Error(file.path + kNone);
    }
    return found->second == sha256(vocabulary.bytes());
  };
  if (!is_of("source_vocabulary", vocabularies.source) ||
      !is_of("target_vocabulary", vocabularies.target)) {
    throw Error(
        file.path +
        ": made for other vocabularies than the model's; run nmt shortlist with this model");
  }
  LexicalShortlist shortlist{
      read_numbers<int64_t>(file, "ends", "I64"), read_numbers<int32_t>(file, "tokens", "I32"),
      read_numbers<int32_t>(file, "frequent", "I32"), vocabularies.target.vocabulary_size()};
  if (!is_sound(shortlist, vocabularies.source.vocabulary_size())) {
    throw Error(file.path + ": damaged; run nmt shortlist again");
  }
  return shortlist;
}

}  // namespace nmt
