#include "translate/engine.h"

// What network_engine_on_demand.cpp loads.
extern "C" __attribute__((visibility("default"))) nmt::PlainEngineFactory
nmt_plain_engine_factory() {
  return nmt::make_network_engine;
}
