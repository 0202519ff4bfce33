// The one file that knows c10d, whose classes differ between LibTorch's versions.

#ifndef USE_C10D_GLOO  // LibTorch's own targets may set it
#define USE_C10D_GLOO
#endif
#include <c10/util/Logging.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "distributed/collective_backend.h"
#include "distributed/local_address.h"
#include "distributed/process_group.h"
#include "errors/log.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;
using StorePtr = c10::intrusive_ptr<c10d::Store>;
using WorkPtr = decltype(std::declval<c10d::ProcessGroupGloo&>().barrier());

constexpr std::chrono::minutes kConnectTimeout{10};
constexpr auto kConnectAttempt = 1s;
constexpr auto kPollInterval = 50ms;
constexpr auto kLogInterval = 10s;
// An operation may wait for a process that validates or prepares a corpus. HeartbeatMonitor tells
// such processes from lost ones.
constexpr std::chrono::hours kOperationTimeout{24 * 30};
constexpr auto kHeartbeatCheckInterval = 500ms;
constexpr auto kTimeToLearnWhy = 3s;
// Process 0 alone has something to save, but notices a loss only once it has validated or prepared
// a corpus. Less than the launcher allows it.
constexpr auto kGraceToSave = 4min;

std::string meeting_place(const RankInfo& rank) {
  return rank.launch_folder.empty() ? rank.master_address + ":" + std::to_string(rank.master_port)
                                    : rank.launch_folder.string();
}

/// Since LibTorch 2.4 the store asks for libuv, which Debian builds LibTorch without.
template <typename Options>
auto serve_without_libuv(Options& options, int) -> decltype(options.useLibUV, void()) {
  options.useLibUV = false;
}
template <typename Options>
void serve_without_libuv(Options&, long) {}

std::string few_connected(const RankInfo& rank) {
  return meeting_place(rank) + ": not all " + std::to_string(rank.size) +
         " processes connected within " + std::to_string(kConnectTimeout.count()) +
         " minutes; check that all were started with the same WORLD_SIZE";
}

std::string no_answer(const RankInfo& rank) {
  return meeting_place(rank) +
         ": process 0 does not answer, or another program uses its port; set MASTER_ADDR and "
         "MASTER_PORT to where process 0 runs";
}

/// Polls `done` until it returns true. Throws Error with the problem when that takes too long.
template <typename Done>
void wait_until(const RankInfo& rank, const std::string& problem, const Done& done) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto begun = now();
  auto next_log = begun + kLogInterval;
  for (; !done(); std::this_thread::sleep_for(kPollInterval)) {
    if (interrupted()) throw Interrupted("interrupted while waiting for the other processes");
    if (now() - begun > kConnectTimeout) throw Error(problem);
    if (now() < next_log) continue;
    next_log += kLogInterval;
    log_info("waiting for the other processes at {}", meeting_place(rank));
  }
}

StorePtr make_store(const RankInfo& rank, bool is_server, std::chrono::milliseconds timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(rank.master_port);
  options.isServer = is_server;
  options.waitWorkers = false;
  options.timeout = timeout;
  serve_without_libuv(options, 0);
  return c10::make_intrusive<c10d::TCPStore>(rank.master_address, options);
}

/// Throws Error that says what to set.
StorePtr try_store(const RankInfo& rank, bool is_server) {
  local_address_towards(rank.master_address, /*for_others=*/false);  // throws for an unknown name
  try {
    auto store = make_store(rank, is_server, is_server ? kConnectTimeout : kConnectAttempt);
    store->check({"here"});  // another program on the port may accept a connection and never answer
    store->setTimeout(kConnectTimeout);
    return store;
  } catch (const std::exception&) {
    throw Error(is_server
                    ? meeting_place(rank) +
                          ": process 0 cannot listen on this port; set MASTER_PORT to a free one"
                    : no_answer(rank));
  }
}

/// Runs try_store() in another thread, which is left behind on a signal or after kConnectTimeout:
/// name servers and c10d ignore signals while they wait, some without a time limit. The server gets
/// one attempt. The others repeat theirs, as a name may be known only once process 0 runs.
StorePtr open_tcp_store(const RankInfo& rank, bool is_server) {
  std::future<StorePtr> attempt;
  StorePtr store;
  auto problem = no_answer(rank);
  wait_until(rank, problem, [&] {
    if (!attempt.valid()) {
      std::packaged_task<StorePtr()> task([=] { return try_store(rank, is_server); });
      attempt = task.get_future();
      std::thread(std::move(task)).detach();
    }
    if (attempt.wait_for(kPollInterval) != std::future_status::ready) return false;
    try {
      store = attempt.get();
      return true;
    } catch (const Error& error) {
      if (is_server) throw;
      if (problem != error.what()) log_warning(problem = error.what());
      return false;
    }
  });
  return store;
}

/// A file that grows with each entry. Never destroyed: the destructor writes too, and on a full
/// disk it would end the program.
StorePtr open_file_store(const RankInfo& rank) {
  static auto* const kept = new StorePtr;  // NOLINT
  const auto file = (rank.launch_folder / "store").string();
  try {
    *kept = c10::make_intrusive<c10d::FileStore>(file, rank.size);
    (*kept)->setTimeout(kConnectTimeout);
    (*kept)->add("opened", 1);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    throw Error(file + ": cannot be written: " + reason.substr(0, reason.find('\n')) +
                "; check TMPDIR");
  }
  return *kept;
}

StorePtr open_store(const RankInfo& rank) {
  if (!rank.launch_folder.empty()) return open_file_store(rank);
  return open_tcp_store(rank, /*is_server=*/rank.rank == 0 && !rank.launcher_has_store);
}

std::string random_name() {
  std::random_device random;
  return std::to_string(random()) + "-" + std::to_string(random());
}

class StoreTable : public SharedTable {
 public:
  explicit StoreTable(StorePtr store) : store_(std::move(store)) {}

  void set(const std::string& key, const std::string& value) override {
    store_->set(key, std::vector<uint8_t>(value.begin(), value.end()));
  }

  std::optional<std::string> get(const std::string& key) override {
    if (!store_->check({key})) return {};
    const auto bytes = store_->get(key);
    return std::string(bytes.begin(), bytes.end());
  }

 private:
  StorePtr store_;
};

/// The key prefix, in a launcher's store, of this start of the processes. torchrun keeps its store
/// across restarts, and a machine that joins later counts restarts from 0. So rank 0 chooses a
/// random prefix, and each other process asks for it under a random name: an answer to a request of
/// an earlier start has another key.
std::string agree_on_part(const RankInfo& rank, const StorePtr& store) {
  StoreTable table(store);
  const auto own_name = random_name();
  const auto question_of = [](int other) { return "nmt/asks/" + std::to_string(other); };
  const auto answer_to = [](const std::string& name) { return "nmt/answers/" + name; };
  const auto knowing = [](const std::string& part) { return part + "/know"; };
  if (rank.rank == 0) {
    auto part = "nmt/" + own_name;
    wait_until(rank, few_connected(rank), [&] {
      for (int other = 1; other < rank.size; ++other) {
        if (const auto name = table.get(question_of(other))) table.set(answer_to(*name), part);
      }
      return store->add(knowing(part), 0) >= rank.size - 1;
    });
    return part;
  }
  std::optional<std::string> part;
  wait_until(rank, few_connected(rank), [&] {
    table.set(question_of(rank.rank), own_name);
    part = table.get(answer_to(own_name));
    return part.has_value();
  });
  store->add(knowing(*part), 1);
  return *part;
}

void wait_for_all(const RankInfo& rank, c10d::Store& store) {
  if (store.add("here/" + std::to_string(rank.rank), 1) > 1) {
    throw Error(meeting_place(rank) + ": two processes have RANK " + std::to_string(rank.rank) +
                "; give each its own");
  }
  store.add("here", 1);
  wait_until(rank, few_connected(rank), [&] { return store.add("here", 0) >= rank.size; });
}

/// A file for each key, of one line, which is replaced in place: a full disk still has room for it.
class FolderTable : public SharedTable {
 public:
  explicit FolderTable(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void set(const std::string& key, const std::string& value) override {
    const auto path = path_of(key);
    std::fstream file(path, std::ios::in | std::ios::out);
    if (!file.is_open()) file.open(path, std::ios::out);
    file << value.substr(0, value.find('\n')) << '\n';
  }

  std::optional<std::string> get(const std::string& key) override {
    std::ifstream file(path_of(key));
    std::string line;
    if (!std::getline(file, line) || file.eof()) return {};  // a whole line ends with its mark
    return line;
  }

 private:
  std::filesystem::path path_of(std::string key) const {
    std::replace(key.begin(), key.end(), '/', '-');
    return folder_ / key;
  }

  const std::filesystem::path folder_;
};

/// The table of heartbeats. Has its own connection, because Gloo's may be busy waiting.
std::unique_ptr<SharedTable> open_table(const RankInfo& rank, const std::string& part) {
  if (!rank.launch_folder.empty()) {
    return std::make_unique<FolderTable>(rank.launch_folder);
  }
  return std::make_unique<StoreTable>(
      c10::make_intrusive<c10d::PrefixStore>(part, open_tcp_store(rank, /*is_server=*/false)));
}

std::shared_ptr<::gloo::transport::Device> network_device(const RankInfo& rank) {
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr) return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  const bool others = rank.size > rank.local_size;
  const auto address = local_address_towards(rank.master_address, others);
  return c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

[[noreturn]] void throw_broken(HeartbeatMonitor& monitor) {
  const auto& heartbeats = monitor.heartbeats();
  if (heartbeats.loss_within(kTimeToLearnWhy).empty()) monitor.announce_broken_connection();
  throw ProcessLost(heartbeats.loss());
}

/// c10d throws both when the time is up and when the operation failed.
void wait_for(const WorkPtr& work, HeartbeatMonitor& monitor) {
  while (true) {
    try {
      work->wait(kHeartbeatCheckInterval);
      return;
    } catch (const std::exception&) {
      // Completed after the time was up: a GPU must still wait for Gloo's copy back.
      if (work->isCompleted() && work->exception() == nullptr) return work->synchronize();
      if (work->isCompleted()) throw_broken(monitor);
      const auto loss = monitor.heartbeats().loss();
      if (!loss.empty()) throw ProcessLost(loss);
    }
  }
}

class GlooBackend : public CollectiveBackend {
 public:
  GlooBackend(const RankInfo& rank, std::function<void(const std::string&)> on_timeout)
      : store_(open_store(rank)) {
    const auto part = rank.launcher_has_store ? agree_on_part(rank, store_) : "nmt";
    store_ = c10::make_intrusive<c10d::PrefixStore>(part, store_);
    wait_for_all(rank, *store_);
    HeartbeatTiming timing;
    if (rank.rank == 0) timing.grace = kGraceToSave;
    monitor_ = std::make_shared<HeartbeatMonitor>(open_table(rank, part), rank.rank, rank.size,
                                                  std::move(on_timeout), timing);
    auto options = c10d::ProcessGroupGloo::Options::create(kOperationTimeout);
    options->devices.push_back(network_device(rank));
    group_ = std::make_unique<c10d::ProcessGroupGloo>(store_, rank.rank, rank.size, options);
  }

  std::function<void()> all_reduce(const torch::Tensor& tensor) override {
    std::vector<at::Tensor> one = {tensor};
    return waiting_for(group_->allreduce(one));
  }

  std::function<void()> broadcast(const torch::Tensor& tensor) override {
    std::vector<at::Tensor> one = {tensor};
    return waiting_for(group_->broadcast(one));
  }

  std::function<void()> all_to_all(const torch::Tensor& received,
                                   const torch::Tensor& sent) override {
    auto output = received;
    auto input = sent;
    std::vector<int64_t> equal_parts;
    return waiting_for(group_->alltoall_base(output, input, equal_parts, equal_parts));
  }

  Heartbeats& heartbeats() override { return monitor_->heartbeats(); }

 private:
  std::function<void()> waiting_for(const WorkPtr& work) {
    return [work, monitor = monitor_] { wait_for(work, *monitor); };
  }

  StorePtr store_;
  std::shared_ptr<HeartbeatMonitor> monitor_;
  std::unique_ptr<c10d::ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<CollectiveBackend> connect_backend(
    const RankInfo& rank, std::function<void(const std::string& loss)> on_timeout) {
  static std::once_flag quiet;  // c10d logs every process that is missing; failures are thrown
  std::call_once(quiet, [] { FLAGS_caffe2_log_level = 3; });
  return std::make_unique<GlooBackend>(rank, std::move(on_timeout));
}

std::string backend_name() { return "Gloo"; }

}  // namespace nmt
