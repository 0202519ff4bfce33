#include "markup/tag_placement.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "markup/made_translation.h"
#include "numbers/random.h"
#include "support/catch.h"

using namespace nmt;

namespace {

/// The translation of an HTML sentence, given its target text and the source word of each word.
std::string html(const std::string& source, const std::string& target,
                 const std::vector<int64_t>& links) {
  return translate_made(source, DocumentFormat::kHtml, [&](const std::string& sentence) {
    return made_translation(sentence, target, links);
  });
}

/// The same with the attention of each target word to the source words.
std::string html(const std::string& source, const std::string& target,
                 const std::vector<int64_t>& links,
                 const std::vector<std::vector<float>>& attention) {
  return translate_made(source, DocumentFormat::kHtml, [&](const std::string& sentence) {
    auto translation = made_translation(sentence, target, links);
    translation.candidates.front().word_attention = attention;
    return translation;
  });
}

/// Whether each end tag closes the last open start tag, and no link is in a link.
bool is_well_formed(const std::string& html) {
  std::vector<std::string> open;
  for (size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const size_t end = html.find('>', at);
    const auto tag = html.substr(at + 1, end - at - 1);
    const auto name = tag.substr(0, tag.find(' '));
    if (name == "br" || name == "img") continue;
    const bool in_link = std::count(open.begin(), open.end(), "a") > 0;
    if (name == "a" && in_link) return false;
    if (name[0] != '/') {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

std::string without_tags(const std::string& html) {
  std::string text;
  bool in_tag = false;
  for (const char c : html) {
    if (c == '<') in_tag = true;
    if (!in_tag) text += c;
    if (c == '>') in_tag = false;
  }
  return text;
}

size_t count_of(const std::string& what, const std::string& text) {
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

std::string without_spaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

}  // namespace

TEST_CASE("tags return around the words that came from theirs") {
  REQUIRE(html("<p>저는 <b>책을</b> 읽어요.</p>", "I read a book.", {0, 2, 1, 1}) ==
          "<p>I read <b>a book</b>.</p>");
  REQUIRE(html("<i>저는</i> 책을 <b>읽어요.</b>", "I read a book.", {0, 2, 1, 1}) ==
          "<i>I</i> <b>read</b> a book.");
  REQUIRE(html("저는 <a href='x'>책을 <em>읽어요</em></a>.", "I read a book.", {0, 2, 1, 1}) ==
          "I <a href='x'><em>read</em> a book</a>.");
}

TEST_CASE("formatting is repeated where its words are scattered, a link is not") {
  REQUIRE(html("<b>a b</b> c", "A C B", {0, 2, 1}) == "<b>A</b> C <b>B</b>");
  REQUIRE(html("<b id=x>a b</b> c", "A C B", {0, 2, 1}) == "<b id=x>A C B</b>");
  REQUIRE(html("<a>a b</a> c d e", "A C D B1 B2 E", {0, 2, 3, 1, 1, 4}) == "A C D <a>B1 B2</a> E");
  REQUIRE(html("<a>a b</a> <i>c</i>", "A C1 B C2", {0, 2, 1, 2}) == "<a>A C1 B</a> <i>C2</i>");
}

TEST_CASE("of equal runs a link goes around the one with most attention to it") {
  REQUIRE(html("<a>a</a> b c", "A1 B C A2", {0, 1, 2, 0},
               {{0.5F, 0.3F, 0.2F}, {0, 1, 0}, {0, 0, 1}, {0.9F, 0, 0.1F}}) == "A1 B C <a>A2</a>");
}

TEST_CASE("all words of a sentence that is wholly in an element are in it") {
  const std::vector<std::vector<float>> attention = {
      {0.4F, 0.1F, 0.5F}, {0, 1, 0}, {0.1F, 0, 0.9F}};
  for (const std::string tag : {"a", "b", "span id=x"}) {
    const auto in_tag = [&](const std::string& words) {
      return "<" + tag + ">" + words + "</" + tag.substr(0, tag.find(' ')) + ">";
    };
    REQUIRE(html("<p>" + in_tag("a dog snow.") + "</p>", "A DOG SNOW.", {2, 1, 2}, attention) ==
            "<p>" + in_tag("A DOG SNOW.") + "</p>");
    REQUIRE(html(in_tag("a dog snow") + ".", "A DOG SNOW.", {2, 1, 2}, attention) ==
            in_tag("A DOG SNOW") + ".");
    REQUIRE(html("<i>" + in_tag("a dog snow.") + "</i>", "A DOG SNOW.", {2, 1, 2}, attention) ==
            "<i>" + in_tag("A DOG SNOW.") + "</i>");
    // One sentence wholly, of the next a part.
    const auto of_two = [&](const std::string& sentence) {
      if (sentence == "It is.") return made_translation(sentence, "ES IST.", {0, 1});
      auto translation = made_translation(sentence, "A DOG SNOW.", {2, 1, 2});
      translation.candidates.front().word_attention = attention;
      return translation;
    };
    REQUIRE(translate_made(in_tag("A dog snow. It") + " is.", DocumentFormat::kHtml, of_two) ==
            in_tag("A DOG SNOW. ES") + " IST.");
  }
}

TEST_CASE("what came through unchanged beside an element is no other part of the sentence") {
  for (const std::string tag : {"a", "b"}) {
    const auto in_tag = [&](const std::string& words) {
      return "<" + tag + ">" + words + "</" + tag + ">";
    };
    REQUIRE(html("- " + in_tag("a dog snow."), "- A DOG SNOW.", {0, 3, 2, 3},
                 {{1, 0, 0, 0}, {0, 0.4F, 0.1F, 0.5F}, {0, 0, 1, 0}, {0, 0.1F, 0, 0.9F}}) ==
            "- " + in_tag("A DOG SNOW."));
    REQUIRE(html("1) x " + in_tag("a snow,") + " :-)", "1) x A SNOW, :-)", {0, 1, 3, 3, 4},
                 {{1, 0, 0, 0, 0},
                  {0, 1, 0, 0, 0},
                  {0, 0, 0.4F, 0.6F, 0},
                  {0, 0, 0, 1, 0},
                  {0, 0, 0, 0, 1}}) == "1) x " + in_tag("A SNOW,") + " :-)");
  }
}

TEST_CASE("an element without aligned words gets the nearest one") {
  REQUIRE(html("a <b>b</b> c", "A C", {0, 2}) == "<b>A</b> C");
  REQUIRE(html("<i>a <b>b</b></i>", "A", {0}) == "<i><b>A</b></i>");
  REQUIRE(html("<i>a</i> <b>b</b>", "A", {0}) == "<i><b>A</b></i>");
}

TEST_CASE("a link does not go into another link") {
  REQUIRE(html("<a>a</a> <a href=x>b</a> c d", "B D", {1, 3}) == "<a href=x>B</a> <a>D</a>");
  REQUIRE(html("<a>a</a> <a href=x>b</a>", "B", {1}) == "<a></a><a href=x>B</a>");
  REQUIRE(html("<b><a>a</a></b> <a href=x>b</a>", "B", {1}) == "<b><a></a></b><a href=x>B</a>");
  REQUIRE(html("<b>c<a name=y></a></b> <a href=x>b</a>", "B", {1}) ==
          "<b><a name=y></a></b><a href=x>B</a>");
  REQUIRE(html("<a>a</a> <b>b</b>", "B", {1}) == "<b><a>B</a></b>");
  const auto translate = [](const std::string& sentence) {
    return made_translation(sentence, "B D", {1, 3});
  };
  REQUIRE(translate_made("[a](u0) [b](u1) c d", DocumentFormat::kMarkdown, translate) ==
          "[B](u1) [D](u0)");
}

TEST_CASE("of two elements in one word, the one with less of it stays empty, and a link nests") {
  REQUIRE(html("a <b>bc</b><b>d</b> e", "A B1 B2 E", {0, 1, 1, 2}) == "A <b>B1 B2</b><b></b> E");
  REQUIRE(html("a <i>b</i><b>cd</b> e", "A B1 B2 E", {0, 1, 1, 2}) == "A <i></i><b>B1 B2</b> E");
  REQUIRE(html("a <b>bc</b><a>d</a> e", "A B1 B2 E", {0, 1, 1, 2}) == "A <b><a>B1</a> B2</b> E");
}

TEST_CASE("what comes along as written replaces equal text that is aligned elsewhere") {
  REQUIRE(html("<span translate=no>12</span> a", "12 A", {1, 1}) ==
          "<span translate=no>12</span> A");
  REQUIRE(html("a <code>f x</code> b", "A, (f x) B", {0, 0, 3, 3}) == "A, (<code>f x</code>) B");
  REQUIRE(html("a <code>x</code> b", "A xB", {0, 2}) == "A <code>x</code> xB");
}

TEST_CASE("what comes along as written has spaces only between words") {
  REQUIRE(html("a <b><code>x</code> b</b> c", "A B C", {0, 2, 3}) == "A <b><code>x</code> B</b> C");
  REQUIRE(html("<code>x</code> a", "A", {1}) == "<code>x</code> A");
  REQUIRE(html("a (<code>x</code>) b", "A B", {0, 2}) == "A <code>x</code> B");
  REQUIRE(html("<b>a <code>x</code></b>", "A", {0}) == "<b>A <code>x</code></b>");
}

TEST_CASE("a part of a word takes the whole word unless it came through unchanged") {
  REQUIRE(html("<b>책</b>을 읽어요.", "I read books.", {1, 1, 0}) == "I read <b>books</b>.");
  REQUIRE(html("H<sub>2</sub>O 와 CO<sub>2</sub>.", "H2O and CO2.", {0, 1, 2}) ==
          "H<sub>2</sub>O and CO<sub>2</sub>.");
  REQUIRE(html("a H<sub>2</sub>O.", "A H2O", {0, 1}) == "A H<sub>2</sub>O");
  REQUIRE(html("x <b>2</b>.", "X 20 2.", {0, 1, 1}) == "X 20 <b>2</b>.");
  REQUIRE(html("<b>2024</b>년", "in 2024,", {0, 0}) == "in <b>2024</b>,");
  REQUIRE(html("a (<b>f(x)</b>), c", "A (f(x)), C", {0, 1, 2}) == "A (<b>f(x)</b>), C");
  REQUIRE(html("a x<wbr>y b", "A xy B", {0, 1, 2}) == "A x<wbr>y B");
  REQUIRE(html("<b>I</b>’m", "Ich bin", {0, 0}) == "<b>Ich bin</b>");
}

TEST_CASE("points stay between the words that were around them") {
  REQUIRE(html("a b <img> c d", "B A D C", {1, 0, 3, 2}) == "B A <img> D C");
  REQUIRE(html("<img>a <b>b<img></b> c", "C B A", {2, 1, 0}) == "<img>C <b>B<img></b> A");
  REQUIRE(html("a<br>b", "A B", {0, 1}) == "A<br>B");
  REQUIRE(html("a<img><img>, b.<img> c<img>.", "A, B, C.", {0, 1, 2}) ==
          "A<img><img>, B,<img> C<img>.");
  REQUIRE(html("a <a name=x></a>b", "A B", {0, 1}) == "A <a name=x></a>B");
}

TEST_CASE("a point stays where it was though the first word attends to the full stop") {
  const std::vector<std::vector<float>> attention = {
      {0.1F, 0, 0, 0.9F}, {0, 1, 0, 0}, {0, 0.1F, 0.9F, 0}, {0, 0, 0.1F, 0.9F}};
  for (const std::string point : {"<img>", "<sup>1</sup>", "<!-- c -->"}) {
    INFO(point);
    REQUIRE(html("a man " + point + " sits here.", "EIN MANN SITZT HIER.", {3, 1, 2, 3},
                 attention) == "EIN MANN " + point + " SITZT HIER.");
    REQUIRE(html("a man" + point + " sits here.", "EIN MANN SITZT HIER.", {3, 1, 2, 3},
                 attention) == "EIN MANN" + point + " SITZT HIER.");
  }
}

TEST_CASE("what follows the last word of a sentence follows its translation") {
  const auto verb_moves = [](const std::string& sentence) {
    auto translation = made_translation(sentence, "A C B1 B2.", {0, 2, 1, 1});
    translation.candidates.front().word_attention = {
        {1, 0, 0}, {0, 0.1F, 0.9F}, {0, 0.5F, 0}, {0, 0.6F, 0}};
    return translation;
  };
  const auto translated = [&](const std::string& text) {
    return translate_made(text, DocumentFormat::kHtml, verb_moves);
  };
  for (const std::string point : {"<br>", "<img>", "<sup>[2]</sup>", "<!-- c -->"}) {
    INFO(point);
    CHECK(translated("<p>a b cat." + point + "</p>") == "<p>A C B1 B2." + point + "</p>");
    CHECK(translated("<p>a b cat.<br>" + point + "<br></p>") ==
          "<p>A C B1 B2.<br>" + point + "<br></p>");
    CHECK(translated("<p>a b cat." + point + " Dogs e four." + point + "</p>") ==
          "<p>A C B1 B2." + point + " A C B1 B2." + point + "</p>");
    CHECK(translated("<p><b>a b cat." + point + "</b> Dogs e four.</p>") ==
          "<p><b>A C B1 B2." + point + "</b> A C B1 B2.</p>");
  }
}

TEST_CASE("thousands of elements in one word are placed in linear time") {
  std::string links;
  std::string pictures = "word";
  for (int i = 0; i < 50000; ++i) links += "<a href=x>.</a>";
  for (int i = 0; i < 50000; ++i) pictures += ".<img>";
  for (const auto& text : {"<p>word " + links + "</p>", "<p>" + pictures + "</p>"}) {
    CHECK(translate_made(text, DocumentFormat::kHtml, reversed).size() == text.size());
  }
}

TEST_CASE("a note mark follows its word where the order changes") {
  REQUIRE(html("a dressed<sup>1</sup> man sits", "A MAN DRESSED SITS", {0, 2, 1, 3}) ==
          "A MAN DRESSED<sup>1</sup> SITS");
}

TEST_CASE("points that a space divides from the word before a mark stay before the mark") {
  for (const std::string point : {"<img>", "<sup>[2]</sup>", "<!-- c -->", "<br>", "<img> <img>"}) {
    INFO(point);
    REQUIRE(html("a man sits " + point + ".", "EIN MANN SITZT.", {0, 1, 2}) ==
            "EIN MANN SITZT " + point + ".");
    REQUIRE(html("a man sits " + point + ".", "EIN SITZT MANN.", {0, 2, 1}) ==
            "EIN SITZT MANN " + point + ".");
    REQUIRE(html("a <b>man " + point + "</b>, a", "EIN MANN, A", {0, 1, 2}) ==
            "EIN <b>MANN " + point + "</b>, A");
    REQUIRE(html("(a man " + point + ")", "(EIN MANN)", {0, 1}) == "(EIN MANN " + point + ")");
  }
  REQUIRE(html("a man sits<br>.", "EIN MANN SITZT.", {0, 1, 2}) == "EIN MANN SITZT<br>.");
  REQUIRE(html("a <img> !", "A !", {0, 1}) == "A <img> !");
  REQUIRE(html("a <img>.b", "A .b", {0, 1}) == "A <img>.b");
  REQUIRE(html("a man <img>.<b>5</b> x", "A MAN .5 X", {0, 1, 2, 3}) == "A MAN <img>.<b>5</b> X");
  REQUIRE(html("a <img>, b <img>. b <img>", "A, B. C", {0, 1, 2}) == "A <img>, B <img>. C <img>");
  // Not after formatted words, links and code.
  REQUIRE(html("a man <b>sits</b> <img>, two", "A MAN SITS , TWO", {0, 1, 2, 3, 4}) ==
          "A MAN <b>SITS</b> <img>, TWO");
  for (const std::string word :
       {"<b>f(x)</b>", "<a href=x>f(x)</a>", "<code>f(x)</code>", "<b><i>f(x)</i></b>"}) {
    INFO(word);
    REQUIRE(html("a " + word + " <img>, b", "A f(x) , B", {0, 1, 2, 3}) ==
            "A " + word + " <img>, B");
    REQUIRE(html("a " + word + " <sup>[2]</sup>.", "A f(x) .", {0, 1, 2}) ==
            "A " + word + " <sup>[2]</sup>.");
  }
}

TEST_CASE("a full stop that only the translation has stays next to the last word") {
  REQUIRE(html("<p><label>a man <img></label> \n</p>", "EIN MANN.", {0, 1}) ==
          "<p><label>EIN MANN. <img></label> \n</p>");
  REQUIRE(html("<p><b>a man </b>\n</p>", "EIN MANN.", {0, 1}) == "<p><b>EIN MANN</b>. \n</p>");
  REQUIRE(html("<p>a man <img>\u2003\n</p>", "EIN MANN.", {0, 1}) ==
          "<p>EIN MANN. <img>\u2003\n</p>");
  const std::string spaces(1'000'000, ' ');  // in linear time
  REQUIRE(html("<p>a man <img>" + spaces + "</p>", "EIN MANN.", {0, 1}) ==
          "<p>EIN MANN. <img>" + spaces + "</p>");
}

TEST_CASE("markup is well-formed and text complete whatever the alignment") {
  Random random(7, 0);
  const std::vector<std::string> names = {"b", "i", "a", "span id=x", "code", "u"};
  for (int trial = 0; trial < 2000; ++trial) {
    std::string source = "w";
    std::vector<std::string> open;
    for (int i = 0; i < 12; ++i) {
      const auto choice = random.below(5);
      if (choice == 0) {
        const auto& name = names[random.below(names.size())];
        const bool in_link = name == "a" && std::count(open.begin(), open.end(), name) > 0;
        open.push_back(in_link ? "b" : name);
        source += "<" + open.back() + ">";
      } else if (choice == 1 && !open.empty()) {
        source += "</" + open.back().substr(0, open.back().find(' ')) + ">";
        open.pop_back();
      } else if (choice == 2) {
        source += random.below(2) == 0 ? "<br>" : "<img>";
      } else {
        source += (random.below(4) == 0 ? "" : " ") + std::string("w") + std::to_string(i);
      }
    }
    for (; !open.empty(); open.pop_back()) {
      source += "</" + open.back().substr(0, open.back().find(' ')) + ">";
    }
    std::string text;  // of all translations
    const auto translate = [&](const std::string& sentence) {
      std::vector<int64_t> links(random.below(10));
      std::string target;
      for (auto& link : links) {
        link = static_cast<int64_t>(random.below(words_of_line(sentence).size()));
        target += (target.empty() ? "t" : " t") + std::to_string(text.size() + target.size());
      }
      text += target.empty() ? sentence : target;
      return made_translation(sentence, target, links);
    };
    INFO(source);
    const auto result = translate_made(source, DocumentFormat::kHtml, translate);
    INFO(result);
    REQUIRE(is_well_formed(result));
    if (source.find("<code>") != std::string::npos) continue;
    for (const std::string tag : {"<a>", "<span id=x>", "<br>", "<img>"}) {
      REQUIRE(count_of(tag, result) == count_of(tag, source));
    }
    REQUIRE(without_spaces(without_tags(result)) == without_spaces(text));
  }
}
