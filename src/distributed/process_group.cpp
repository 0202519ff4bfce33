#include "distributed/process_group.h"

#include <ATen/ATen.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "distributed/collective_backend.h"
#include "errors/exit_code.h"
#include "processes/interrupt.h"
#include "processes/subprocess.h"

namespace nmt {
namespace {

[[noreturn]] void end_at_once(int rank, const std::string& message) {
  // A signal that has reached all ends the others with process 0, which says so.
  const bool says_why = rank == 0 || !interrupted();
  if (says_why) {
    std::cerr << "nmt: process " + std::to_string(rank) + ": " +
                     message.substr(0, message.find('\n')) + "\n"
              << std::flush;
  }
  kill_process_groups();  // such as a validation script
  std::_Exit(interrupted() ? kSignalled + interrupting_signal() : kRunFailed);
}

/// A copy: an operation that never ends may keep the tensor beyond the lifetime of `bytes`.
torch::Tensor to_tensor(const std::string& bytes) {
  auto tensor = at::empty({static_cast<int64_t>(bytes.size())}, torch::kByte);
  std::memcpy(tensor.data_ptr<uint8_t>(), bytes.data(), bytes.size());
  return tensor;
}

std::string to_bytes(const torch::Tensor& tensor) {
  const auto* data = reinterpret_cast<const char*>(tensor.data_ptr<uint8_t>());
  return std::string(data, data + tensor.numel());
}

}  // namespace

ProcessGroup::ProcessGroup() = default;

ProcessGroup::ProcessGroup(const RankInfo& rank) : rank_(rank) {
  if (rank.size == 1) return;
  backend_ = connect_backend(
      rank, [number = rank.rank](const std::string& loss) { end_at_once(number, loss); });
  barrier();  // from here on all have sent heartbeats
}

ProcessGroup::~ProcessGroup() = default;

std::function<void()> ProcessGroup::all_reduce_async(const torch::Tensor& tensor) {
  return backend_ ? backend_->all_reduce(tensor) : [] {};
}

std::function<void()> ProcessGroup::all_to_all_async(const torch::Tensor& received,
                                                     const torch::Tensor& sent) {
  if (backend_) return backend_->all_to_all(received, sent);
  received.copy_(sent);
  return [] {};
}

std::vector<double> ProcessGroup::all_reduce(std::vector<double> values) {
  if (!backend_) return values;
  const auto tensor =
      at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, torch::kDouble).clone();
  backend_->all_reduce(tensor)();
  std::memcpy(values.data(), tensor.data_ptr<double>(), values.size() * sizeof(double));
  return values;
}

bool ProcessGroup::any(bool value) { return all_reduce({value ? 1.0 : 0.0}).front() > 0; }

void ProcessGroup::broadcast(const torch::Tensor& tensor) {
  if (backend_) backend_->broadcast(tensor)();
}

std::string ProcessGroup::broadcast(const std::string& bytes) {
  if (!backend_) return bytes;
  const auto size = all_reduce({is_rank_zero() ? static_cast<double>(bytes.size()) : 0.0}).front();
  if (size == 0) return "";
  const auto all =
      is_rank_zero() ? to_tensor(bytes) : at::empty({static_cast<int64_t>(size)}, torch::kByte);
  broadcast(all);
  return to_bytes(all);
}

/// Each process fills in its own bytes and leaves zeros elsewhere; the sum holds all.
std::vector<std::string> ProcessGroup::gather(const std::string& bytes) {
  if (!backend_) return {bytes};
  const auto me = static_cast<size_t>(rank());
  std::vector<double> sizes(static_cast<size_t>(size()));
  sizes[me] = static_cast<double>(bytes.size());
  sizes = all_reduce(sizes);
  std::string all;
  for (size_t process = 0; process < sizes.size(); ++process) {
    all += process == me ? bytes : std::string(static_cast<size_t>(sizes[process]), '\0');
  }
  if (!all.empty()) {
    const auto summed = to_tensor(all);
    backend_->all_reduce(summed)();
    all = to_bytes(summed);
  }
  std::vector<std::string> parts;
  size_t begin = 0;
  for (const double size : sizes) {
    parts.push_back(all.substr(begin, static_cast<size_t>(size)));
    begin += parts.back().size();
  }
  return parts;
}

void ProcessGroup::barrier() { all_reduce({0.0}); }

void ProcessGroup::leave() {
  barrier();
  stop_watching();
}

void ProcessGroup::stop_watching() {
  if (backend_) backend_->heartbeats().stop();
}

void ProcessGroup::end_program(const std::string& message) {
  if (backend_) backend_->heartbeats().announce_end(message);
  end_at_once(rank(), message);
}

}  // namespace nmt
