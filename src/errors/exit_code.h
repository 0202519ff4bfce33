#pragma once

namespace nmt {

// What the program ends with; 0 is success.
constexpr int kRunFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kSignalled = 128;  // and the number of the signal that ended it

}  // namespace nmt
