#pragma once

// Catch2 2 (Debian 12) and Catch2 3 (Debian 13) under one name.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
