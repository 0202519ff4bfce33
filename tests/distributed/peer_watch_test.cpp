#include "distributed/peer_watch.h"

#include <atomic>
#include <future>
#include <stdexcept>

#include "support/catch.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;

constexpr PeerWatch::Patience kHurry{5ms, 150ms, 100ms};

/// A table in memory that can be cut off.
struct Table {
  std::mutex mutex;
  std::map<std::string, std::string> values;
  std::atomic<bool> broken{false};
  std::atomic<bool> hangs{false};
};

class TableEnd : public SharedTable {
 public:
  explicit TableEnd(std::shared_ptr<Table> table) : table_(std::move(table)) {}

  void set(const std::string& key, const std::string& value) override {
    const auto lock = reach();
    table_->values[key] = value;
  }

  std::optional<std::string> get(const std::string& key) override {
    const auto lock = reach();
    const auto found = table_->values.find(key);
    if (found == table_->values.end()) return {};
    return found->second;
  }

 private:
  std::unique_lock<std::mutex> reach() {
    while (table_->hangs) std::this_thread::sleep_for(1ms);
    if (table_->broken) throw std::runtime_error("connection reset");
    return std::unique_lock<std::mutex>(table_->mutex);
  }

  std::shared_ptr<Table> table_;
};

std::unique_ptr<PeerWatch> watch(
    const std::shared_ptr<Table>& table, int rank, int size,
    std::function<void(const std::string&)> too_late = [](auto&) {}) {
  return std::make_unique<PeerWatch>(std::make_unique<TableEnd>(table), rank, size,
                                     std::move(too_late), kHurry);
}

TEST_CASE("Processes that all live miss nobody") {
  const auto table = std::make_shared<Table>();
  const auto first = watch(table, 0, 2);
  const auto second = watch(table, 1, 2);
  std::this_thread::sleep_for(3 * kHurry.silence);
  CHECK(first->loss().empty());
  CHECK(second->loss().empty());
}

TEST_CASE("A process that falls silent is named to all others") {
  const auto table = std::make_shared<Table>();
  const auto first = watch(table, 0, 3);
  const auto second = watch(table, 1, 3);
  { const auto third = watch(table, 2, 3); }
  CHECK_THAT(first->loss_within(5s),
             Catch::Matchers::ContainsSubstring("process 2 has not been heard of"));
  CHECK_THAT(second->loss_within(5s),
             Catch::Matchers::ContainsSubstring("process 2 has not been heard of"));
}

TEST_CASE("The others notice a leader that falls silent") {
  const auto table = std::make_shared<Table>();
  const auto second = watch(table, 1, 2);
  { const auto first = watch(table, 0, 2); }
  CHECK_THAT(second->loss_within(5s),
             Catch::Matchers::ContainsSubstring("process 0 has not been heard of"));
}

TEST_CASE("A broken connection and one that never answers are told apart, and both noticed") {
  const auto table = std::make_shared<Table>();
  const auto second = watch(table, 1, 2);
  SECTION("broken") {
    table->broken = true;
    CHECK_THAT(second->loss_within(5s), Catch::Matchers::ContainsSubstring("broke"));
  }
  SECTION("hanging") {
    table->hangs = true;
    CHECK_THAT(second->loss_within(5s), Catch::Matchers::ContainsSubstring("does not answer"));
  }
  table->hangs = false;
}

TEST_CASE("Why a process ends is told to the others") {
  const auto table = std::make_shared<Table>();
  const auto first = watch(table, 0, 2);
  const auto second = watch(table, 1, 2);
  second->announce_end("the disk is full");
  CHECK(first->loss_within(5s) == "process 1 has ended: the disk is full");
}

TEST_CASE("A program that does not end by itself in time is ended") {
  const auto table = std::make_shared<Table>();
  std::promise<std::string> ended;
  const auto second = watch(table, 1, 2, [&](const std::string& loss) { ended.set_value(loss); });
  table->broken = true;
  auto end = ended.get_future();
  REQUIRE(end.wait_for(5s) == std::future_status::ready);
  CHECK_THAT(end.get(), Catch::Matchers::ContainsSubstring("broke"));
}

TEST_CASE("After the work is done nobody is missed") {
  const auto table = std::make_shared<Table>();
  const auto second = watch(table, 1, 2);
  second->stop();
  table->broken = true;
  std::this_thread::sleep_for(2 * kHurry.silence);
  CHECK(second->loss().empty());
}

}  // namespace
}  // namespace nmt
