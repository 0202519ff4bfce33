#include "distributed/process_group.h"

#include <ATen/ATen.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <numeric>
#include <utility>

#include "distributed/connection.h"
#include "errors/exit_code.h"

namespace nmt {
namespace {

[[noreturn]] void end_at_once(int rank, const std::string& message) {
  std::cerr << "nmt: process " + std::to_string(rank) + ": " +
                   message.substr(0, message.find('\n')) + "\n"
            << std::flush;
  std::_Exit(kRunFailed);
}

/// Copies, for an operation that never ends may keep the tensor longer than its caller the bytes.
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

ProcessGroup::ProcessGroup(const ProcessPlace& place) : place_(place) {
  if (place.size == 1) return;
  connection_ =
      connect(place, [rank = place.rank](const std::string& loss) { end_at_once(rank, loss); });
  meet();  // from here on all are watched
}

ProcessGroup::~ProcessGroup() = default;

std::function<void()> ProcessGroup::sum_later(const torch::Tensor& tensor) {
  return connection_ ? connection_->sum(tensor) : [] {};
}

std::vector<double> ProcessGroup::sum(std::vector<double> values) {
  if (!connection_) return values;
  const auto tensor =
      at::from_blob(values.data(), {static_cast<int64_t>(values.size())}, torch::kDouble).clone();
  connection_->sum(tensor)();
  std::memcpy(values.data(), tensor.data_ptr<double>(), values.size() * sizeof(double));
  return values;
}

bool ProcessGroup::any(bool value) { return sum({value ? 1.0 : 0.0}).front() > 0; }

void ProcessGroup::broadcast(const torch::Tensor& tensor) {
  if (connection_) connection_->broadcast(tensor)();
}

std::string ProcessGroup::broadcast(const std::string& bytes) {
  if (!connection_) return bytes;
  const auto size = sum({is_leader() ? static_cast<double>(bytes.size()) : 0.0}).front();
  if (size == 0) return "";
  const auto all =
      is_leader() ? to_tensor(bytes) : at::empty({static_cast<int64_t>(size)}, torch::kByte);
  broadcast(all);
  return to_bytes(all);
}

/// Everybody's bytes at their place, and zeros elsewhere: their sum is all of them.
std::vector<std::string> ProcessGroup::gather(const std::string& bytes) {
  if (!connection_) return {bytes};
  const auto me = static_cast<size_t>(rank());
  std::vector<double> sizes(static_cast<size_t>(size()));
  sizes[me] = static_cast<double>(bytes.size());
  sizes = sum(sizes);
  const auto offset = [&](size_t process) {
    return static_cast<size_t>(
        std::accumulate(sizes.begin(), sizes.begin() + static_cast<int64_t>(process), 0.0));
  };
  std::string all(offset(sizes.size()), '\0');
  all.replace(offset(me), bytes.size(), bytes);
  if (!all.empty()) {
    const auto summed = to_tensor(all);
    connection_->sum(summed)();
    all = to_bytes(summed);
  }
  std::vector<std::string> parts;
  for (size_t process = 0; process < sizes.size(); ++process) {
    parts.push_back(all.substr(offset(process), static_cast<size_t>(sizes[process])));
  }
  return parts;
}

void ProcessGroup::meet() { sum({0.0}); }

void ProcessGroup::leave() {
  if (!connection_) return;
  meet();
  connection_->watch().stop();
}

void ProcessGroup::end_program(const std::string& message) {
  if (connection_) connection_->watch().announce_end(message);
  end_at_once(rank(), message);
}

}  // namespace nmt
