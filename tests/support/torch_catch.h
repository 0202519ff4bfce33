#pragma once

// LibTorch first: its CHECK is a logging macro that aborts, and Catch2's must win.
#include <torch/types.h>
#undef CHECK
#include "support/catch.h"
