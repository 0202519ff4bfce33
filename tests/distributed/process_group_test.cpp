#include "distributed/process_group.h"

#include <ATen/ATen.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "distributed/bfloat16_all_reduce.h"
#include "distributed/collective_backend.h"
#include "support/test_device.h"

namespace nmt {
namespace {

/// Below the ephemeral ports.
int last_port = 20000 + static_cast<int>(::getpid() % 12000);

int next_port() { return ++last_port; }

/// Runs work(group) in `size` threads at once, each as a process of the group, which uses the store
/// that another one has opened at `store_port`, if given.
void among(int size, const std::function<void(ProcessGroup&)>& work, int store_port = 0) {
  const int port = store_port > 0 ? store_port : next_port();
  std::vector<std::exception_ptr> failures(static_cast<size_t>(size));
  std::vector<std::thread> members;
  for (int rank = 0; rank < size; ++rank) {
    members.emplace_back([&, rank] {
      try {
        RankInfo info;
        info.rank = info.local_rank = rank;
        info.size = info.local_size = size;
        info.master_address = "127.0.0.1";
        info.master_port = port;
        info.launcher_has_store = store_port > 0;
        ProcessGroup group(info);
        work(group);
        group.leave();
      } catch (...) {
        failures[static_cast<size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (auto& member : members) member.join();
  for (const auto& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

void require_network() {
  if (backend_name().empty()) SKIP("this nmt was built without Gloo");
}

TEST_CASE("A group of one changes nothing") {
  ProcessGroup alone;
  CHECK(alone.is_rank_zero());
  CHECK(alone.all_reduce({1.5, 2.0}) == std::vector<double>{1.5, 2.0});
  CHECK(alone.any(true));
  CHECK(!alone.any(false));
  CHECK(alone.broadcast(std::string("text")) == "text");
  CHECK(alone.gather("text") == std::vector<std::string>{"text"});
  const auto tensor = on_device(at::ones({3}));
  alone.all_reduce_async(tensor)();
  CHECK(tensor.sum().item<float>() == 3.0F);
}

TEST_CASE("Processes reduce, gather and broadcast numbers, texts and tensors") {
  require_network();
  std::vector<std::string> problems(3);
  among(3, [&](ProcessGroup& group) {
    auto& problem = problems[static_cast<size_t>(group.rank())];
    const auto expect = [&](bool good, const char* what) {
      if (!good) problem += std::string(what) + " ";
    };
    const double rank = group.rank();
    expect(group.all_reduce({rank, 1.0}) == std::vector<double>{3.0, 3.0}, "all_reduce");
    expect(group.any(group.rank() == 2), "any");
    expect(!group.any(false), "none");
    const std::string mine(static_cast<size_t>(group.rank()), 'x');  // of other lengths, one empty
    expect(group.gather(mine) == std::vector<std::string>{"", "x", "xx"}, "gather");
    expect(group.broadcast(group.is_rank_zero() ? std::string("a\0b", 3) : std::string()) ==
               std::string("a\0b", 3),
           "bytes");
    expect(group.broadcast(std::string()).empty(), "no bytes");
    const auto tensor = on_device(at::full({2, 2}, rank + 5));
    group.broadcast(tensor);
    expect(tensor.eq(5.0).all().item<bool>(), "broadcast");
  });
  for (const auto& problem : problems) CHECK(problem.empty());
}

TEST_CASE("Several reductions may be under way, and all processes get the same bits") {
  require_network();
  constexpr int64_t kCount = 100'003;
  std::vector<torch::Tensor> firsts(4);
  std::vector<torch::Tensor> seconds(4);
  const auto part = [](int rank, int64_t seed) {
    return on_device(at::arange(kCount, torch::kFloat).add(seed + 17 * rank).sin());
  };
  among(4, [&](ProcessGroup& group) {
    const auto rank = static_cast<size_t>(group.rank());
    firsts[rank] = part(group.rank(), 1);
    seconds[rank] = part(group.rank(), 2);
    const auto first = group.all_reduce_async(firsts[rank]);
    const auto second = group.all_reduce_async(seconds[rank]);
    second();
    first();
  });
  const auto expected = part(0, 1) + part(1, 1) + part(2, 1) + part(3, 1);
  CHECK(all_close(firsts[0], expected, 1e-5, 1e-5));
  for (size_t rank = 1; rank < 4; ++rank) {
    CHECK(at::equal(firsts[rank], firsts[0]));
    CHECK(at::equal(seconds[rank], seconds[0]));
  }
}

TEST_CASE("Rows of numbers change their process") {
  require_network();
  std::vector<torch::Tensor> received(3);
  among(3, [&](ProcessGroup& group) {
    const auto rank = static_cast<size_t>(group.rank());
    received[rank] = on_device(at::empty({3, 2}, torch::kByte));
    // Row r of process p is {10 p + r, r}.
    const auto rows = on_device(at::arange(3, torch::kByte));
    group.all_to_all_async(received[rank], at::stack({rows + 10 * group.rank(), rows}, 1))();
  });
  for (int64_t rank = 0; rank < 3; ++rank) {
    const auto& rows = received[static_cast<size_t>(rank)];
    CHECK(at::equal(rows.select(1, 0).cpu(), at::arange(3, torch::kByte) * 10 + rank));
    CHECK(rows.select(1, 1).eq(rank).all().item<bool>());
  }
}

TEST_CASE("Numbers that travel as bfloat16 are summed in float32, to the same bits everywhere") {
  require_network();
  const int size = GENERATE(2, 3);
  const int64_t count = GENERATE(1, 2, 10'001);  // fewer than processes, and no multiple of them
  const auto part = [&](int rank) {
    return on_device(at::arange(count, torch::kFloat).add(1 + 17 * rank).sin());
  };
  std::vector<torch::Tensor> sums(static_cast<size_t>(size));
  std::vector<torch::Tensor> others(static_cast<size_t>(size));
  among(size, [&](ProcessGroup& group) {
    auto& sum = sums[static_cast<size_t>(group.rank())] = part(group.rank());
    auto& other = others[static_cast<size_t>(group.rank())] = part(group.rank()).view({1, count});
    Bfloat16AllReduce first(group, sum);
    Bfloat16AllReduce second(group, other);
    first.send_sum();
    second.send_sum();
    first.wait();
    second.wait();
  });
  const auto rounded = [](const torch::Tensor& numbers) {
    return numbers.to(torch::kBFloat16).to(torch::kFloat);
  };
  auto expected = on_device(at::zeros({count}));
  for (int rank = 0; rank < size; ++rank) expected += rounded(part(rank));
  for (size_t rank = 0; rank < sums.size(); ++rank) {
    CHECK(at::equal(sums[rank], rounded(expected)));
    CHECK(at::equal(others[rank].view(-1), sums[rank]));
  }
}

TEST_CASE("Groups of any size follow each other in a store that a launcher keeps") {
  require_network();
  std::atomic<int> sums{0};
  among(2, [&](ProcessGroup& launcher) {
    if (launcher.is_rank_zero()) {
      for (const int size : {2, 3, 2}) {
        const auto count = [&](ProcessGroup& group) {
          if (group.all_reduce({1.0}).front() == size) ++sums;
        };
        among(size, count, last_port);
      }
    }
    launcher.barrier();
  });
  CHECK(sums == 7);
}

TEST_CASE("Two processes with the same rank are an error") {
  require_network();
  RankInfo info;
  info.size = info.local_size = 2;
  info.master_address = "127.0.0.1";
  info.master_port = next_port();
  std::vector<std::string> messages(3);
  std::promise<void> refusal;  // until then the others stay, or the last to come would find nobody
  const auto refused = refusal.get_future().share();
  std::once_flag once;
  std::vector<std::thread> members;
  for (int member = 0; member < 3; ++member) {
    members.emplace_back([&, info, member]() mutable {
      info.rank = info.local_rank = member == 0 ? 0 : 1;
      try {
        ProcessGroup group(info);
        refused.wait_for(std::chrono::minutes(1));
      } catch (const std::exception& error) {
        messages[static_cast<size_t>(member)] = error.what();
        std::call_once(once, [&] { refusal.set_value(); });
      }
    });
  }
  for (auto& member : members) member.join();
  CHECK_THAT(messages[1] + messages[2],
             Catch::Matchers::ContainsSubstring("two processes have RANK 1"));
}

}  // namespace
}  // namespace nmt
