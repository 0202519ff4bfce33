#pragma once

namespace nmt {

/// The sacreBLEU release whose figures ours equal, as its signatures name it.
constexpr char kSacrebleuVersion[] = "2.6.0";

}  // namespace nmt
