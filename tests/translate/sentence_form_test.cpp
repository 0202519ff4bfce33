#include "translate/sentence_form.h"

#include "support/catch.h"
#include "support/sample.h"
#include "translate/trained_tokenizer.h"

namespace nmt {

TEST_CASE("A sentence is read with a final mark if all others end with one", "[translate]") {
  const auto tokenizer =
      bpe_tokenizer("the dog, he said: \"(it) 'is' here!\" and; - * not? 5 %.", 120);
  const SentenceForm form({".", "?", "!"}, false);
  const auto read = [&](const std::string& sentence) {
    return form.familiar(sentence, tokenizer).text;
  };
  CHECK(read("the dog") == "the dog.");
  CHECK(read("the dog.") == "the dog.");
  CHECK(read("the dog?") == "the dog?");
  CHECK(read("the dog...") == "the dog.");
  CHECK(read("the dog !!!") == "the dog!");
  CHECK(read("the dog!? *") == "the dog?");
  CHECK(read("the dog:") == "the dog.");
  CHECK(read("the dog ;") == "the dog.");
  CHECK(read("the dog, not") == "the dog, not.");
  CHECK(read("it is 5 %") == "it is 5 %.");
  CHECK(read("(the dog)") == "the dog.");
  CHECK(read("* the dog! *") == "the dog!");
  CHECK(read("\"the dog\", he said") == "\"the dog\", he said.");
  CHECK(read("he said \"the dog\"") == "he said \"the dog\".");
  CHECK(read("\"the dog") == "the dog.");

  const auto taken = form.familiar("(the dog)", tokenizer);
  CHECK(taken.first_marks == "(");
  CHECK(taken.last_marks == ")");
  CHECK(taken.carrier == ".");
  CHECK_FALSE(taken.capitalized);
  CHECK(form.familiar("the dog...", tokenizer).last_marks == "...");
  CHECK(form.familiar("the dog !!", tokenizer).last_marks == "!!");
  CHECK(form.familiar("the dog *", tokenizer).last_marks == " *");

  const SentenceForm any;
  for (const char* sentence : {"the dog", "the dog:", "(the dog)", "\"the dog!\""}) {
    CHECK(any.familiar(sentence, tokenizer).text == sentence);
  }
  const SentenceForm quoting({".", "\""}, false);
  CHECK(quoting.familiar("\"the dog.\"", tokenizer).text == "\"the dog.\"");
}

TEST_CASE("Quotes are read in pairs, and no mark that the vocabulary lacks", "[translate]") {
  const auto tokenizer = bpe_tokenizer("the dog, “he said: it is here!”.", 60);
  const auto half = bpe_tokenizer("the dog, “he said: it is here!.", 60);
  const auto read = [](const std::string& sentence, const Tokenizer& vocabulary) {
    return SentenceForm().familiar(sentence, vocabulary).text;
  };
  CHECK(read("“it is here!”", tokenizer) == "“it is here!”");
  CHECK(read("“it is here!”", half) == "it is here!");
  CHECK(read("“it is here", half) == "“it is here");
  CHECK(read("it is here~", half) == "it is here.");
  CHECK(read("it is here。", half) == "it is here.");
  CHECK(read("it is — here", bpe_tokenizer("it – is here.", 60)) == "it is – here");
  CHECK(read("it is — here", half) == "it is — here");  // it has no dash
  const auto hindi = bpe_tokenizer("यह कुत्ता है।", 60);   // with another full stop
  CHECK(read("यह कुत्ता है!", hindi) == "यह कुत्ता है।");
  CHECK(read("यह कुत्ता है.", hindi) == "यह कुत्ता है।");
}

TEST_CASE("A sentence is read with a capital if all others have one", "[translate]") {
  const auto tokenizer = bpe_tokenizer("The dog he sees the Tom I.", 120);
  const SentenceForm form({"."}, true);
  CHECK(form.familiar("the dog.", tokenizer).text == "The dog.");
  CHECK(form.familiar("the dog.", tokenizer).capitalized);
  CHECK(form.familiar("iPhone.", tokenizer).text == "iPhone.");
  CHECK_FALSE(form.familiar("The dog.", tokenizer).capitalized);

  CHECK(begun_in_lower_case("The", tokenizer) == "the");
  CHECK(begun_in_lower_case("Tom", tokenizer) == "Tom");  // the vocabulary has no "tom"
  CHECK(begun_in_lower_case("I'm", tokenizer) == "I'm");
  CHECK(begun_in_lower_case("THE", tokenizer) == "THE");
  CHECK(begun_in_lower_case("A", sample_tokenizers().target) == "a");
}

}  // namespace nmt
