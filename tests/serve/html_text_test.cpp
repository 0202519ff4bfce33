#include "serve/html_text.h"

#include "support/catch.h"

namespace nmt {
namespace {

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("HTML keeps its tags and entities are read and written", "[serve]") {
  const auto pieces =
      split_html("<p title=\"a>b\">A &amp; B.</p><!-- x --><script>if (a<b) f()</script>1 < 2");
  REQUIRE(pieces.sentences.front() == "b\">A & B.");  // as lenient as it is with a bare '>'
  const auto sound =
      split_html("<p>A &lt;b&#62; &#xAC00;.</p> <b>x</b><style>p{}</style>1 < 2 &unknown;");
  REQUIRE(sound.sentences == Texts{"A <b> 가.", "x", "1 < 2 &unknown;"});
  REQUIRE(join_text(sound, {escape_html("<&\">"), "y", "z"}) ==
          "<p>&lt;&amp;&quot;&gt;</p> <b>y</b><style>p{}</style>z");
}

}  // namespace nmt
