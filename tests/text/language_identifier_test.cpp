#include "text/language_identifier.h"

#include <string>

#include "support/catch.h"
#include "text/sample_text.h"

namespace nmt {
namespace {

const char* const kGerman =
    "Der Hund schläft unter dem Tisch.\nIch habe gestern einen langen Brief geschrieben.\n"
    "Wir gehen heute nicht in die Schule.\nSie hat das Buch noch nicht gelesen.\n"
    "Warum bist du so spät gekommen?\nDie Kinder spielen im Garten hinter dem Haus.\n"
    "Er möchte eine Tasse Kaffee und ein Stück Kuchen.\nDas ist nicht der Schlüssel, den ich "
    "suche.\n"
    "Meine Schwester wohnt in einer kleinen Stadt.\nKannst du mir bitte die Tür öffnen?\n"
    "Der Zug nach dem Norden fährt um acht Uhr.\nEs hat die ganze Nacht geregnet.\n";
const char* const kEnglish =
    "The dog is sleeping under the table.\nI wrote a long letter yesterday.\n"
    "We are not going to school today.\nShe has not read the book yet.\n"
    "Why did you come so late?\nThe children are playing in the garden behind the house.\n"
    "He would like a cup of coffee and a piece of cake.\nThis is not the key that I am looking "
    "for.\n"
    "My sister lives in a small town.\nCould you open the door for me, please?\n"
    "The train to the north leaves at eight o'clock.\nIt rained the whole night.\n";

Tokenizer trained_on(const std::string& name, const std::string& text, VocabularyType type) {
  const TemporaryFile corpus(name, text);
  TokenizerTraining training;
  training.corpora = {corpus.path()};
  training.vocabulary_size = 150;
  training.type = type;
  training.character_coverage = 1.0;
  return Tokenizer::from_bytes(train_tokenizer(training), name);
}

Tokenizers german_and_english(VocabularyType type) {
  return {trained_on("de", kGerman, type), trained_on("en", kEnglish, type)};
}

}  // namespace

TEST_CASE("Two vocabularies tell their languages apart, in any case", "[text]") {
  for (const auto type : {VocabularyType::kUnigram, VocabularyType::kBpe}) {
    const LanguageIdentifier identifier(german_and_english(type));
    REQUIRE(identifier.has_two_vocabularies());
    for (const std::string text :
         {"Das Kind hat den Schlüssel nicht gefunden.",
          "DAS KIND HAT DEN SCHLÜSSEL NICHT GEFUNDEN.", "wir haben unter dem baum geschlafen"}) {
      INFO(text);
      REQUIRE(identifier.identify(text).source > 0.9);
    }
    for (const std::string text :
         {"She could not find the small key.", "SHE COULD NOT FIND THE SMALL KEY.",
          "we are reading in the garden today"}) {
      INFO(text);
      REQUIRE(identifier.identify(text).target > 0.9);
    }
    const auto russian = identifier.identify("Почему ты пришёл так поздно?");
    REQUIRE(russian.neither > 0.9);
    const auto long_text = identifier.identify(std::string(1000000, 'a') + "\xFF");
    REQUIRE(long_text.source + long_text.target + long_text.neither == Approx(1));
  }
}

TEST_CASE("What cannot be told apart is a tie", "[text]") {
  const auto tokenizers = german_and_english(VocabularyType::kUnigram);
  const LanguageIdentifier identifier(tokenizers);
  for (const std::string text : {"", "  ", "12:30, 4 + 5 = 9!", "\xFF"}) {
    REQUIRE(identifier.identify(text).source == identifier.identify(text).target);
  }
  const LanguageIdentifier joint({tokenizers.source, tokenizers.source});
  REQUIRE_FALSE(joint.has_two_vocabularies());
  REQUIRE(joint.identify("The dog.").source == 0.5);
  REQUIRE(joint.identify("The dog.").target == 0.5);
}

TEST_CASE("Scripts tell languages apart", "[text]") {
  const std::string folder = NMT_SOURCE_DIR "/models/sample/";
  const LanguageIdentifier identifier(
      {Tokenizer::from_file(folder + "source.spm"), Tokenizer::from_file(folder + "target.spm")});
  REQUIRE(identifier.identify("여기에서 우체국까지 얼마나 걸립니까?").source > 0.9);
  REQUIRE(identifier.identify("Harry와 Jane은 공원을 떠났다.").source > 0.9);
  REQUIRE(identifier.identify("How far is the nearest post office?").target > 0.9);
}

}  // namespace nmt
