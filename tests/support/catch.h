#pragma once

// Catch2 2 (Debian 12) and Catch2 3 (Debian 13) under the names of the third.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#include <string>

namespace Catch::Matchers {
inline auto ContainsSubstring(const std::string& part) { return Contains(part); }
}  // namespace Catch::Matchers

namespace nmt {
/// Ends the test case, which counts neither as failed nor as passed: the program names it at its
/// end and, where every test case was skipped, exits with 4.
[[noreturn]] void skip_test(const std::string& reason);
}  // namespace nmt
#define SKIP(...) ::nmt::skip_test((Catch::MessageStream() << __VA_ARGS__).m_stream.str())
#endif
