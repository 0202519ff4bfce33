/* nmt from C, and from any language that can call C.

     nmt_translator* translator = NULL;
     nmt_translations* translations = NULL;
     const char* line = "저는 책을 읽어요.";
     if (nmt_open("models/sample", NULL, &translator) != 0 ||
         nmt_translate(translator, &line, 1, NULL, &translations) != 0) {
       fprintf(stderr, "%s\n", nmt_last_error());
     } else {
       puts(nmt_get(translations, 0)->candidates[0]->text);
     }
     nmt_free_translations(translations);
     nmt_close(translator);

   Functions that return int return 0, or 1 after an error, which nmt_last_error() explains; what
   they would have written is then unchanged. No C++ exception leaves them, and the caller's
   floating-point flags and traps stay as they are. Strings are UTF-8 and end with a zero byte. Any
   number of threads may use one translator at once, of the process that opened it: in a child of
   fork, which has none of its threads, calls return an error. */
#ifndef NMT_NMT_H
#define NMT_NMT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define NMT_C_PUBLIC __attribute__((visibility("default")))
#else
#define NMT_C_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct nmt_translator nmt_translator;
typedef struct nmt_translations nmt_translations;

/* The `version` of option structs; set, with the defaults, by nmt_init_…, which must be called. A
   change of a structure changes the library's SONAME. */
#define NMT_OPTIONS_VERSION 1

typedef struct {
  uint32_t version;
  int32_t threads;             /* 0: one for each core */
  int32_t callers;             /* maximum concurrent calls, which share threads; 0: threads */
  int32_t int8;                /* 1: 8-bit weights, faster and less exact */
  const char* device;          /* "cpu", "cuda", "cuda:1"; NULL: "cpu" */
  const char* const* ensemble; /* further models, with the same vocabularies */
  size_t num_ensemble;
  const char* language_model;   /* NULL: none */
  double language_model_weight; /* values other than the default need language_model */
  const char* terms;            /* file of terms; NULL: none */
  const char* shortlist;        /* file of nmt shortlist; NULL: none */
} nmt_open_options;

enum nmt_split { NMT_SPLIT_MODEL, NMT_SPLIT_NONE, NMT_SPLIT_SENTENCES };

/* Options of `nmt translate` (docs/decoding.md); those that are not here keep their defaults. */
typedef struct {
  uint32_t version;
  int32_t split; /* nmt_split */
  int64_t beam_size;
  int64_t n_best;
  double length_penalty;
  int64_t max_length;
  int64_t min_length;
  double max_length_ratio;
  int64_t batch_size;
  int64_t no_repeat_ngram;
  double coverage_penalty;
  double temperature; /* this, top_k and top_p need sample, unless at their defaults */
  int64_t top_k;
  double top_p;
  uint64_t seed;     /* of sample */
  int32_t sample;    /* 1: samples, without search; beam_size is then ignored */
  int32_t attention; /* 1: nmt_candidate.attention */
  int32_t words;     /* 1: words, alignment and warnings */
} nmt_translate_options;

typedef struct {
  int64_t source; /* words, from 0 */
  int64_t target;
} nmt_link;

typedef struct {
  const char* text;
  double score;           /* length-normalized log-probability, by which candidates are ranked */
  double log_probability; /* natural log, end of sentence included */
  double confidence;      /* 0 to 1; NaN where translator.h says none */
  size_t num_tokens;
  const char* const* tokens;
  const double* token_log_probabilities; /* [num_tokens + 1], the last of the end of sentence;
                                            NULL for a line that the model does not read:
                                            empty, without letters or only addresses */
  size_t attention_rows;                 /* num_tokens + 1; 0 if not asked for, for such a line,
                                            for over 2048 source tokens, and from a model
                                            without attention */
  size_t attention_columns;              /* source tokens */
  const float* attention;                /* [attention_rows, attention_columns] */
  size_t num_words;
  const char* const* words;
  const double* word_log_probabilities; /* [num_words + 1]; NULL without words */
  size_t num_links;
  const nmt_link* alignment;
  size_t num_warnings;
  const char* const* warnings;
} nmt_candidate;

typedef struct {
  size_t num_candidates; /* at least 1 */
  const nmt_candidate* const* candidates;
  size_t num_source_tokens;
  const char* const* source_tokens;
  size_t num_source_words;
  const char* const* source_words;
} nmt_translation;

NMT_C_PUBLIC void nmt_init_open_options(nmt_open_options* options);
NMT_C_PUBLIC void nmt_init_translate_options(nmt_translate_options* options);

/* Loads a model directory or packed file. `options`: NULL for the defaults. */
NMT_C_PUBLIC int nmt_open(const char* model, const nmt_open_options* options,
                          nmt_translator** translator);

/* Frees a translator, or NULL. No call may be running. Does nothing in a child of fork(). */
NMT_C_PUBLIC void nmt_close(nmt_translator* translator);

/* Translates each line. The caller must free the result with nmt_free_translations. */
NMT_C_PUBLIC int nmt_translate(const nmt_translator* translator, const char* const* lines,
                               size_t num_lines, const nmt_translate_options* options,
                               nmt_translations** translations);

NMT_C_PUBLIC size_t nmt_size(const nmt_translations* translations);

/* The translation of a line, from 0; NULL beyond the last. It lives as long as `translations`. */
NMT_C_PUBLIC const nmt_translation* nmt_get(const nmt_translations* translations, size_t line);

/* NULL is allowed. */
NMT_C_PUBLIC void nmt_free_translations(nmt_translations* translations);

/* Scores each target as the translation of its source: natural-log probabilities (-infinity for a
   text as the translation of an empty source), and numbers of target tokens, end of sentence
   included (NULL if not wanted). Each array has num_pairs elements. */
NMT_C_PUBLIC int nmt_score(const nmt_translator* translator, const char* const* sources,
                           const char* const* targets, size_t num_pairs, double* log_probabilities,
                           int64_t* num_tokens);

/* One line about the last error of the calling thread; "" when there was none. */
NMT_C_PUBLIC const char* nmt_last_error(void);

/* "0.1.0" */
NMT_C_PUBLIC const char* nmt_version(void);

#ifdef __cplusplus
}
#endif

#endif
