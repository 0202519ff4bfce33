#pragma once

#include <string>

#include "checkpoint/model.h"

namespace nmt {

/// A page about the model for people, in Markdown: what it is, how it was trained, how good it was.
/// `summary` is the text of training.json; empty or damaged, it leaves that part out.
std::string make_model_card(const Model& model, const std::string& summary);

}  // namespace nmt
