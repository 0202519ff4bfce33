#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "numbers/random.h"

namespace nmt {

struct MadeUpPair {
  std::string german;
  std::string english;
  std::string french;
};

/// Sentences from a small grammar, the same in three languages.
inline std::vector<MadeUpPair> made_up_pairs(size_t count, uint64_t seed = 3) {
  using Words = std::vector<MadeUpPair>;
  const Words subjects = {{"Der Lehrer", "The teacher", "Le professeur"},
                          {"Meine Schwester", "My sister", "Ma soeur"},
                          {"Unser Nachbar", "Our neighbor", "Notre voisin"},
                          {"Das kleine Kind", "The small child", "Le petit enfant"},
                          {"Die alte Frau", "The old woman", "La vieille femme"},
                          {"Jeder Schüler", "Every pupil", "Chaque élève"},
                          {"Der Arzt", "The doctor", "Le médecin"},
                          {"Ihr Bruder", "Her brother", "Son frère"},
                          {"Die Köchin", "The cook", "La cuisinière"},
                          {"Ein Fremder", "A stranger", "Un étranger"}};
  const Words verbs = {{"sucht", "is looking for", "cherche"}, {"kauft", "buys", "achète"},
                       {"vergisst", "forgets", "oublie"},      {"zeichnet", "draws", "dessine"},
                       {"verliert", "loses", "perd"},          {"öffnet", "opens", "ouvre"},
                       {"findet", "finds", "trouve"},          {"verkauft", "sells", "vend"},
                       {"wäscht", "washes", "lave"},           {"zerbricht", "breaks", "casse"}};
  const Words objects = {{"den Schlüssel", "the key", "la clé"},
                         {"einen roten Schirm", "a red umbrella", "un parapluie rouge"},
                         {"das Fenster", "the window", "la fenêtre"},
                         {"zwei Stühle", "two chairs", "deux chaises"},
                         {"die große Flasche", "the big bottle", "la grande bouteille"},
                         {"ein Wörterbuch", "a dictionary", "un dictionnaire"},
                         {"seinen Mantel", "his coat", "son manteau"},
                         {"die Landkarte", "the map", "la carte"},
                         {"einen Koffer", "a suitcase", "une valise"},
                         {"das Fahrrad", "the bicycle", "le vélo"}};
  const Words places = {{"im Garten", "in the garden", "dans le jardin"},
                        {"nach dem Frühstück", "after breakfast", "après le petit déjeuner"},
                        {"vor der Schule", "in front of the school", "devant l'école"},
                        {"auf dem Markt", "at the market", "au marché"},
                        {"jeden Abend", "every evening", "chaque soir"},
                        {"ohne Grund", "without a reason", "sans raison"},
                        {"im Winter", "in winter", "en hiver"},
                        {"neben der Brücke", "next to the bridge", "à côté du pont"},
                        {"mit großer Mühe", "with great effort", "avec beaucoup de peine"},
                        {"hinter dem Bahnhof", "behind the station", "derrière la gare"}};
  Random random(seed, 1);
  const auto any = [&](const Words& words) -> const MadeUpPair& {
    return words[random.below(words.size())];
  };
  std::vector<MadeUpPair> pairs;
  for (size_t i = 0; i < count; ++i) {
    const auto& subject = any(subjects);
    const auto& verb = any(verbs);
    const auto& object = any(objects);
    const auto& place = any(places);
    const auto join = [&](std::string MadeUpPair::*language) {
      return subject.*language + " " + verb.*language + " " + object.*language + " " +
             place.*language + ".";
    };
    pairs.push_back(
        {join(&MadeUpPair::german), join(&MadeUpPair::english), join(&MadeUpPair::french)});
  }
  return pairs;
}

}  // namespace nmt
