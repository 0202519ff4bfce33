/* Translates each argument but the first, which is a model directory, and prints the source word
   that each word comes from:

     c_example models/sample "저는 책을 읽어요." */
#include <stdio.h>

#include "nmt/nmt.h"

static void print(const nmt_translation* translation) {
  const nmt_candidate* best = translation->candidates[0];
  printf("%s\n", best->text);
  for (size_t i = 0; i < best->num_links; ++i) {
    const nmt_link link = best->alignment[i];
    printf("  %s <- %s\n", best->words[link.target], translation->source_words[link.source]);
  }
}

int main(int argc, char** argv) {
  nmt_translator* translator = NULL;
  nmt_translations* translations = NULL;
  nmt_translate_options options;
  int failed;
  if (argc < 3) {
    fprintf(stderr, "usage: c_example MODEL_DIR SENTENCE...\n");
    return 2;
  }
  nmt_init_translate_options(&options);
  options.words = 1;
  failed = nmt_open(argv[1], NULL, &translator) ||
           nmt_translate(translator, (const char* const*)argv + 2, (size_t)argc - 2, &options,
                         &translations);
  if (failed) fprintf(stderr, "%s\n", nmt_last_error());
  for (size_t line = 0; line < nmt_size(translations); ++line) print(nmt_get(translations, line));
  nmt_free_translations(translations);
  nmt_close(translator);
  return failed;
}
