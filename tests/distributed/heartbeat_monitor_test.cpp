#include "distributed/heartbeat_monitor.h"

#include <future>
#include <stdexcept>

#include "support/catch.h"

namespace nmt {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

/// A table in memory that can be cut off, and the time of all that use it.
struct Table {
  std::map<std::string, std::string> values;
  bool broken = false;
  Heartbeats::Time now;
  std::chrono::seconds step{};  // that passes whenever somebody asks for the time
};

class TableEnd : public SharedTable {
 public:
  explicit TableEnd(std::shared_ptr<Table> table) : table_(std::move(table)) {}

  void set(const std::string& key, const std::string& value) override {
    require_connection();
    table_->values[key] = value;
  }

  std::optional<std::string> get(const std::string& key) override {
    require_connection();
    const auto found = table_->values.find(key);
    if (found == table_->values.end()) return {};
    return found->second;
  }

 private:
  void require_connection() const {
    if (table_->broken) throw std::runtime_error("connection reset");
  }

  std::shared_ptr<Table> table_;
};

struct Group {
  explicit Group(int size) {
    for (int rank = 0; rank < size; ++rank) {
      processes.push_back(
          std::make_unique<Heartbeats>(std::make_unique<TableEnd>(table), rank, size, timing,
                                       [table = table] { return table->now += table->step; }));
    }
  }

  /// Lets time pass, a second each round; all processes but `silent` exchange heartbeats and check.
  void run(int seconds, int silent = -1) {
    for (int second = 0; second < seconds; ++second) {
      table->now += 1s;
      for (int rank = 0; rank < static_cast<int>(processes.size()); ++rank) {
        if (rank == silent) continue;
        at(rank).exchange();
        ended = at(rank).check() || ended;
      }
    }
  }

  Heartbeats& at(int rank) { return *processes[static_cast<size_t>(rank)]; }

  const HeartbeatTiming timing;
  std::shared_ptr<Table> table = std::make_shared<Table>();
  std::vector<std::unique_ptr<Heartbeats>> processes;
  bool ended = false;  // some process is out of its grace period
};

}  // namespace

TEST_CASE("Processes that all respond are never lost") {
  Group group(3);
  group.run(100);
  for (const auto& process : group.processes) CHECK(process->loss().empty());
  CHECK_FALSE(group.ended);
}

TEST_CASE("A process that stops responding is named to all others after the timeout") {
  const int silent = GENERATE(0, 2);
  Group group(3);
  group.run(3);
  group.run(15, silent);
  CHECK(group.at(1).loss().empty());
  group.run(2, silent);
  CHECK_THAT(group.at(1).loss(), ContainsSubstring("process " + std::to_string(silent) +
                                                   " has not responded for 15 seconds"));
  CHECK(group.at(silent == 0 ? 2 : 0).loss() == group.at(1).loss());
  CHECK_FALSE(group.ended);
}

TEST_CASE("A process that never begins is lost after the timeout, too") {
  Group group(2);
  group.run(16, 1);
  CHECK(group.at(0).loss().empty());
  group.run(1, 1);
  CHECK_THAT(group.at(0).loss(), ContainsSubstring("process 1 has not responded"));
}

TEST_CASE("A broken connection is a loss at once") {
  Group group(2);
  group.run(2);
  group.table->broken = true;
  group.run(1);
  CHECK_THAT(group.at(1).loss(), ContainsSubstring("broke"));
}

TEST_CASE("A table that does not answer is a loss after the timeout") {
  Group group(2);
  group.run(2);
  group.table->now += 15s;  // exchange() hangs meanwhile
  CHECK_FALSE(group.at(1).check());
  CHECK(group.at(1).loss().empty());
  group.table->now += 1s;
  CHECK_FALSE(group.at(1).check());
  CHECK_THAT(group.at(1).loss(), ContainsSubstring("process 0 has not responded"));
}

TEST_CASE("The reason why a process ends reaches the others") {
  Group group(2);
  group.run(1);
  group.at(1).announce_end("the disk is full");
  group.run(1, 1);
  CHECK(group.at(0).loss() == "process 1 has ended: the disk is full");
}

TEST_CASE("A process has to end once the grace period after a loss is over") {
  Group group(2);
  group.run(1);
  group.table->broken = true;
  group.run(9);
  CHECK_FALSE(group.ended);
  group.run(1);
  CHECK(group.ended);
}

TEST_CASE("After a loss a process that has stopped watching may take its time to save") {
  Group group(2);
  group.run(1);
  group.table->broken = true;
  group.run(1);
  for (const auto& process : group.processes) process->stop();
  group.run(100);
  CHECK_FALSE(group.ended);
  CHECK_FALSE(group.at(1).loss().empty());
}

TEST_CASE("A process that was suspended itself gives the others the timeout anew") {
  const int rank = GENERATE(0, 1);
  Group group(2);
  group.run(2);
  group.table->step = 20s;
  CHECK(group.at(rank).sleep(1ms));
  group.table->step = 0s;
  CHECK_FALSE(group.at(rank).check());
  group.at(rank).exchange();
  CHECK(group.at(rank).loss().empty());
  group.run(16, 1 - rank);
  CHECK_FALSE(group.at(rank).loss().empty());
}

TEST_CASE("After the work is done nobody is lost") {
  Group group(2);
  group.run(1);
  group.at(0).stop();
  group.at(1).stop();
  group.table->broken = true;
  group.run(100);
  CHECK(group.at(1).loss().empty());
  CHECK_FALSE(group.ended);
  CHECK_FALSE(group.at(1).sleep(std::chrono::hours(1)));  // returns at once
}

TEST_CASE("The monitor's threads exchange heartbeats, and end a program that does not end itself") {
  const auto table = std::make_shared<Table>();
  table->broken = true;
  std::promise<std::string> ended;
  const HeartbeatMonitor monitor(std::make_unique<TableEnd>(table), 1, 2,
                                 [&](const std::string& loss) { ended.set_value(loss); },
                                 {4ms, 1h, 0ms});
  CHECK_THAT(ended.get_future().get(), ContainsSubstring("broke"));
}

}  // namespace nmt
