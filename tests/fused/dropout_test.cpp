#include "fused/dropout.h"

#include <algorithm>
#include <set>
#include <vector>

#include "fused/buffer.h"
#include "fused/packed_batch.h"
#include "support/catch.h"

namespace nmt {
namespace {

constexpr int64_t kUnits = 400;

/// What a site makes of rows [first, first + rows) of ones.
std::vector<std::vector<float>> masks_at(const Dropout& dropout, DropoutSite site, int64_t first,
                                         int64_t rows, int64_t layer = 0) {
  Buffer buffer;
  const auto values = buffer.take(rows, kUnits);
  std::fill_n(values.data, rows * kUnits, 1.0F);
  dropout.apply(site, layer, first, values);
  std::vector<std::vector<float>> masks;
  for (int64_t row = 0; row < rows; ++row) {
    masks.emplace_back(values.row(row), values.row(row) + kUnits);
  }
  return masks;
}

double share_dropped(const std::vector<float>& mask) {
  return static_cast<double>(std::count(mask.begin(), mask.end(), 0.0F)) / kUnits;
}

}  // namespace

TEST_CASE("Each position has its own dropout rate", "[fused]") {
  ModelConfig model;
  model.dropout = 0.5;
  model.embedding_dropout = 0.25;
  model.recurrent_dropout = 0.0;
  const auto dropout = Dropout::of(model, 7);
  const auto share = [&](DropoutSite site) {
    return share_dropped(masks_at(dropout, site, 0, 1)[0]);
  };
  for (const auto site : {DropoutSite::kSourceEmbedding, DropoutSite::kTargetEmbedding}) {
    CHECK(share(site) == Approx(0.25).margin(0.1));
  }
  for (const auto site : {DropoutSite::kEncoder, DropoutSite::kDecoder}) CHECK(share(site) == 0.0);
  CHECK(share(DropoutSite::kAttentional) == Approx(0.5).margin(0.1));
}

TEST_CASE("All steps of a sentence have one mask of variational dropout", "[fused]") {
  const int64_t tokens[4] = {5, 6, 7, 8};
  // The second pair has the longer source, the first the longer target.
  const auto batch = pack_batch({{tokens, 2, tokens, tokens, 4}, {tokens, 3, tokens, tokens, 2}});
  REQUIRE(batch.places == std::vector<int64_t>{0, 1, 0, 1, 0});
  ModelConfig model;
  model.dropout = 0.5;
  model.variational_dropout = true;
  const auto dropout = Dropout::of(model, 7).of(batch);
  std::set<std::vector<float>> different;
  const auto require_masks = [&](DropoutSite site, const std::vector<int64_t>& places) {
    const auto rows = static_cast<int64_t>(places.size());
    const auto masks = masks_at(dropout, site, 0, rows);
    for (size_t row = 0; row < places.size(); ++row) {
      const auto first = std::find(places.begin(), places.end(), places[row]) - places.begin();
      CHECK(masks[row] == masks[static_cast<size_t>(first)]);
      // The same where a step's rows come alone.
      CHECK(masks_at(dropout, site, static_cast<int64_t>(row), 1)[0] == masks[row]);
      CHECK(share_dropped(masks[row]) == Approx(0.5).margin(0.1));
      different.insert(masks[row]);
    }
  };
  require_masks(DropoutSite::kSourceEmbedding, batch.places);
  require_masks(DropoutSite::kEncoder, batch.places);
  REQUIRE(batch.source_places == std::vector<int64_t>{1, 0, 1, 0, 1, 1});
  require_masks(DropoutSite::kTargetEmbedding, batch.source_places);
  require_masks(DropoutSite::kDecoder, batch.source_places);
  require_masks(DropoutSite::kAttentional, batch.source_places);
  CHECK(different.size() == 10);  // two sentences at five sites
}

TEST_CASE("States have one mask a sentence, layer and direction even if nothing else has",
          "[fused]") {
  const int64_t tokens[4] = {5, 6, 7, 8};
  const auto batch = pack_batch({{tokens, 2, tokens, tokens, 4}, {tokens, 3, tokens, tokens, 2}});
  ModelConfig model;
  model.dropout = 0.0;
  model.state_dropout = 0.5;
  const auto dropout = Dropout::of(model, 7).of(batch);
  std::set<std::vector<float>> different;
  for (const auto site : {DropoutSite::kEncoderState, DropoutSite::kDecoderState}) {
    const auto& places = site == DropoutSite::kEncoderState ? batch.places : batch.source_places;
    for (const int64_t layer : {0, 1}) {
      const auto rows = static_cast<int64_t>(places.size());
      const auto masks = masks_at(dropout, site, 0, rows, layer);
      for (size_t row = 0; row < places.size(); ++row) {
        const auto first = std::find(places.begin(), places.end(), places[row]) - places.begin();
        CHECK(masks[row] == masks[static_cast<size_t>(first)]);
        CHECK(share_dropped(masks[row]) == Approx(0.5).margin(0.1));
        different.insert(masks[row]);
      }
    }
  }
  CHECK(different.size() == 8);  // two sentences in two layers of two sites
  CHECK(share_dropped(masks_at(dropout, DropoutSite::kDecoder, 0, 1)[0]) == 0.0);
}

}  // namespace nmt
