#include "fused/attention_form.h"

#include <stdexcept>

#include "support/catch.h"

namespace nmt {

TEST_CASE("A combination of matrices that the kernels do not compute is refused", "[fused]") {
  const float number = 1.0F;
  Parameter matrix;
  matrix.value = ConstMatrix(&number, 1, 1);
  const ParameterTable parameters = {{"attn.linear.weight", matrix},
                                     {"attn.coverage.weight", matrix}};
  ModelConfig model;
  for (const auto* kind : {&general_attention(), &local_m_attention()}) {
    model.attention = kind;
    model.coverage = false;
    CHECK_NOTHROW(attention_form(model, parameters));
    model.coverage = true;
    if (kind == &general_attention()) {
      CHECK_NOTHROW(attention_form(model, parameters));
    } else {
      CHECK_THROWS_AS(attention_form(model, parameters), std::logic_error);
    }
  }
}

}  // namespace nmt
