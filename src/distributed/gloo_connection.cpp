// The one file that knows c10d, whose classes differ between LibTorch's versions.

#ifndef USE_C10D_GLOO  // LibTorch's own targets may set it
#define USE_C10D_GLOO
#endif
#include <c10/util/Logging.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "distributed/connection.h"
#include "distributed/local_address.h"
#include "distributed/process_group.h"
#include "processes/interrupt.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;
using StorePtr = c10::intrusive_ptr<c10d::Store>;
using WorkPtr = decltype(std::declval<c10d::ProcessGroupGloo&>().barrier());

constexpr std::chrono::minutes kTimeToCome{10};
constexpr auto kLook = 50ms;
constexpr auto kNewsEvery = 10s;
// How long an operation may take is not Gloo's to say: one waits for a process that validates, or
// prepares a corpus. PeerWatch tells those from the ones that are gone.
constexpr std::chrono::hours kOperationTimeout{24 * 30};
constexpr auto kCheckPeersEvery = 500ms;
constexpr auto kTimeToLearnWhy = 3s;

std::string meeting_place(const ProcessPlace& place) {
  return place.master_address + ":" + std::to_string(place.master_port);
}

StorePtr open_store(const ProcessPlace& place, bool serves) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(place.master_port);
  options.isServer = serves && place.rank == 0 && !place.launcher_has_store;
  options.waitWorkers = false;
  options.timeout = kTimeToCome;
  try {
    auto store = c10::make_intrusive<c10d::TCPStore>(place.master_address, options);
    return c10::make_intrusive<c10d::PrefixStore>("nmt/" + place.attempt, std::move(store));
  } catch (const std::exception&) {
    throw Error(meeting_place(place) +
                (options.isServer
                     ? ": this port cannot be opened, on which process 0 meets the others; set "
                       "MASTER_PORT to a free one"
                     : ": process 0 does not answer there; MASTER_ADDR and MASTER_PORT have to say "
                       "where it runs"));
  }
}

/// Calls `done` now and then until it is true.
template <typename Done>
void await(const ProcessPlace& place, const Done& done) {
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto begun = now();
  auto news = begun + kNewsEvery;
  for (; !done(); std::this_thread::sleep_for(kLook)) {
    if (interrupted()) throw Interrupted("interrupted while waiting for the other processes");
    if (now() - begun > kTimeToCome) {
      throw Error(meeting_place(place) + ": not all of the " + std::to_string(place.size) +
                  " processes came within " + std::to_string(kTimeToCome.count()) + " minutes");
    }
    if (now() < news) continue;
    news += kNewsEvery;
    spdlog::info("waiting for the other processes at {}", meeting_place(place));
  }
}

void meet_all(const ProcessPlace& place, c10d::Store& store) {
  if (store.add("here/" + std::to_string(place.rank), 1) > 1) {
    throw Error(meeting_place(place) + ": two processes say that they are process " +
                std::to_string(place.rank) + "; every RANK is for one");
  }
  store.add("here", 1);
  await(place, [&] { return store.add("here", 0) >= place.size; });
}

/// What PeerWatch writes into: a connection of its own, for Gloo's may be busy waiting.
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

std::shared_ptr<::gloo::transport::Device> network_device(const ProcessPlace& place) {
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  if (interface != nullptr) return c10d::ProcessGroupGloo::createDeviceForInterface(interface);
  const bool others = place.size > place.local_size;
  const auto address = local_address_towards(place.master_address, others);
  return c10d::ProcessGroupGloo::createDeviceForHostname(address);
}

class GlooConnection : public Connection {
 public:
  GlooConnection(const ProcessPlace& place, std::function<void(const std::string&)> too_late)
      : store_(open_store(place, /*serves=*/true)) {
    meet_all(place, *store_);
    watch_ = std::make_shared<PeerWatch>(
        std::make_unique<StoreTable>(open_store(place, /*serves=*/false)), place.rank, place.size,
        std::move(too_late), PeerWatch::Patience());
    auto options = c10d::ProcessGroupGloo::Options::create(kOperationTimeout);
    options->devices.push_back(network_device(place));
    group_ = std::make_unique<c10d::ProcessGroupGloo>(store_, place.rank, place.size, options);
  }

  std::function<void()> sum(const torch::Tensor& tensor) override {
    return begin(tensor, [this](std::vector<at::Tensor>& one) { return group_->allreduce(one); });
  }

  std::function<void()> broadcast(const torch::Tensor& tensor) override {
    return begin(tensor, [this](std::vector<at::Tensor>& one) { return group_->broadcast(one); });
  }

  PeerWatch& watch() override { return *watch_; }

 private:
  template <typename Operation>
  std::function<void()> begin(const torch::Tensor& tensor, const Operation& operation) {
    std::vector<at::Tensor> one = {tensor};
    WorkPtr work = operation(one);
    return [work, watch = watch_] { wait(*work, *watch); };
  }

  template <typename Work>
  static void wait(Work& work, PeerWatch& watch);

  StorePtr store_;
  std::shared_ptr<PeerWatch> watch_;
  std::unique_ptr<c10d::ProcessGroupGloo> group_;
};

[[noreturn]] void throw_broken(PeerWatch& watch) {
  if (watch.loss_within(kTimeToLearnWhy).empty()) watch.announce_broken_connection();
  throw PeersLost(watch.loss());
}

/// c10d throws both when the time is up and when the operation failed.
template <typename Work>
void GlooConnection::wait(Work& work, PeerWatch& watch) {
  while (true) {
    try {
      work.wait(kCheckPeersEvery);
      return;
    } catch (const std::exception&) {
      if (work.isCompleted() && work.exception() == nullptr) return;
      if (work.isCompleted()) throw_broken(watch);
      const auto loss = watch.loss();
      if (!loss.empty()) throw PeersLost(loss);
    }
  }
}

}  // namespace

std::unique_ptr<Connection> connect(const ProcessPlace& place,
                                    std::function<void(const std::string& loss)> too_late) {
  FLAGS_caffe2_log_level = 2;  // errors: c10d warns of every process that is not there yet
  return std::make_unique<GlooConnection>(place, std::move(too_late));
}

std::string connection_name() { return "Gloo"; }

}  // namespace nmt
