#include "processes/memory_reserve.h"

#include <malloc.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

namespace nmt {
namespace {

// Size of blocks in the C library's main arena, which every thread falls back to. Freed, larger
// ones would return to the system, where single threads' arenas could claim them.
constexpr size_t kBlock = 64 << 10;  // bytes
constexpr int kTrimThreshold = 128 << 20;

std::mutex mutex;  // guards what follows; has_blocks may be read without it
std::array<void*, 1024> blocks{};
std::atomic<bool> has_blocks{false};

void free_blocks() {
  for (auto*& block : blocks) {
    std::free(block);
    block = nullptr;
  }
}

void give_up_reserve() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (!has_blocks.exchange(false)) throw std::bad_alloc();
  free_blocks();  // `new` then tries again
}

}  // namespace

void keep_memory_reserve() {
  // Each arena reserves 64 MiB of addresses; by default there are eight for each core.
  ::mallopt(M_ARENA_MAX, 2 * static_cast<int>(std::thread::hardware_concurrency()));
  ::mallopt(M_TRIM_THRESHOLD, kTrimThreshold);
  if (!has_memory_reserve()) throw std::bad_alloc();
  std::set_new_handler(give_up_reserve);
}

bool has_memory_reserve() {
  if (has_blocks) return true;
  const std::lock_guard<std::mutex> lock(mutex);
  for (auto*& block : blocks) {
    block = std::malloc(kBlock);  // not `new`, whose handler takes the mutex
    if (block != nullptr) continue;
    free_blocks();
    return false;
  }
  has_blocks = true;
  return true;
}

}  // namespace nmt
