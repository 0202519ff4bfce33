#include "serve/file_store.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "errors/error.h"
#include "errors/log.h"
#include "files/scratch_folder.h"
#include "http/http_message.h"
#include "serve/api_keys.h"

namespace nmt {
namespace {

constexpr size_t kKeyBytes = 16;

}  // namespace

std::string FileStore::add(const NamedFile& file) {
  const size_t size = file.content.size();
  if (size > options_.max_file) {
    throw HttpError(413, "the translated file is larger than " + std::to_string(options_.max_file) +
                             " bytes; divide it");
  }
  Entry entry;
  entry.key = random_hex(kKeyBytes);
  entry.name = file.name;
  entry.size = size;
  entry.added = options_.now();
  try {
    entry.content.reset(open_scratch_file());
    if (std::fwrite(file.content.data(), 1, size, entry.content.get()) != size ||
        std::fflush(entry.content.get()) != 0) {
      throw Error(std::string("temporary file: writing failed: ") + std::strerror(errno));
    }
  } catch (const Error& error) {
    log_error("a translated file cannot be stored: {}", error.what());
    throw HttpError(503, "the translated file cannot be stored; try again later");
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  while (!entries_.empty() &&
         (entries_.size() >= options_.max_files || bytes_ + size > options_.max_bytes)) {
    remove_oldest();
  }
  bytes_ += size;
  entries_.push_back(std::move(entry));
  return entries_.back().key;
}

std::optional<NamedFile> FileStore::find(const std::string& key) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  if (found == entries_.end() || is_expired(*found)) return std::nullopt;
  NamedFile file = {found->name, std::string(found->size, '\0')};
  std::rewind(found->content.get());
  const size_t read = std::fread(file.content.data(), 1, found->size, found->content.get());
  if (read != found->size) throw HttpError(503, "the file cannot be read; try again later");
  return file;
}

void FileStore::remove_expired() {
  const std::lock_guard<std::mutex> lock(mutex_);
  while (!entries_.empty() && is_expired(entries_.front())) remove_oldest();
}

void FileStore::remove_oldest() {
  bytes_ -= entries_.front().size;
  entries_.pop_front();
}

}  // namespace nmt
