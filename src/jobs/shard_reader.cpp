#include "jobs/shard_reader.h"

#include <limits>

#include "errors/error.h"
#include "numbers/parse.h"

namespace nmt {
namespace {

constexpr int64_t kMaxShards = 1000000;

/// size · part / parts without overflow.
int64_t fraction(int64_t size, int64_t part, int64_t parts) {
  return size / parts * part + size % parts * part / parts;
}

struct ByteRange {
  int64_t begin = 0;
  int64_t end = std::numeric_limits<int64_t>::max();
};

ByteRange bytes_of(const std::filesystem::path& path, const Shard& shard) {
  if (shard.is_whole()) return {};
  const int64_t size = text_size(path);
  return {fraction(size, shard.index - 1, shard.count), fraction(size, shard.index, shard.count)};
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const size_t slash = text.find('/');
  const auto index = parse_number<int64_t>(text.substr(0, slash));
  const auto count =
      parse_number<int64_t>(slash == std::string::npos ? "" : text.substr(slash + 1));
  if (index && count && *index >= 1 && *index <= *count && *count <= kMaxShards) {
    return {*index, *count};
  }
  throw UsageError("--shard: '" + text + "' is not a shard; use I/N, e.g. 3/8, with N up to " +
                   std::to_string(kMaxShards) + " and I from 1 to N");
}

ShardReader::ShardReader(const std::filesystem::path& path, const Shard& shard,
                         const std::function<void(std::string_view)>& check)
    : reader_(path) {
  if (path == "-") check(reader_.require_text());
  const auto bytes = bytes_of(path, shard);
  if (bytes.begin > 0) reader_.skip_to_line_from(bytes.begin);
  end_ = bytes.end;
}

bool ShardReader::next(std::string& line) {
  return reader_.position() < end_ && reader_.next(line);
}

LineCounts count_lines(const std::filesystem::path& path, const Shard& shard) {
  const auto bytes = bytes_of(path, shard);
  LineReader reader(path);
  LineCounts counts;
  int64_t begin = 0;
  for (std::string line; reader.next(line); begin = reader.position()) {
    ++counts.all;
    if (begin < bytes.begin) ++counts.before;
  }
  return counts;
}

}  // namespace nmt
