#include "text/subword_sampler.h"

#include "errors/error.h"
#include "numbers/random.h"
#include "text/bpe_dropout.h"
#include "text/model_description.h"
#include "text/unigram_sampling.h"

namespace nmt {
namespace {

// In Protobuf the last value of a field wins: appends model_type (3) = char (4) to trainer_spec
// (2).
std::string as_character_model(const std::string& model) { return model + "\x12\x02\x18\x04"; }

}  // namespace

SubwordSampler::SubwordSampler(const std::string& model)
    : type_(describe_sentencepiece_model(model).type),
      characters_(sentencepiece().load(as_character_model(model))),
      pieces_(model_pieces(model)) {}

std::optional<std::vector<int32_t>> SubwordSampler::sample(std::string_view text, double strength,
                                                           uint64_t seed) const {
  if (type_ != "bpe" && type_ != "unigram") {
    throw Error("a vocabulary of type " + type_ +
                " has no segmentations to sample; use bpe or unigram");
  }
  if (characters_ == nullptr) return std::nullopt;
  const auto normalized = characters_->encode_as_text(text);
  if (!normalized) return std::nullopt;
  const auto atoms = pieces_.atoms(*normalized);
  Random random(seed, 0);
  return pieces_.ids(type_ == "bpe" ? bpe_dropout(atoms, pieces_, strength, random)
                                    : sample_unigram(atoms, pieces_, strength, random));
}

}  // namespace nmt
