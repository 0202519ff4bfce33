#pragma once

namespace nmt {

// Exit codes of the program; 0 is success.
constexpr int kRunFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kSignalled = 128;  // + the number of the signal that ended it

}  // namespace nmt
