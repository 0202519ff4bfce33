#pragma once

#include <stddef.h>
#include <stdint.h>

// The border between this program and SentencePiece.
//
// Debian 12's libsentencepiece exports a Protobuf of its own, LibTorch loads another, and a program
// that sees both crashes. So the bridge is a small library of its own, opened in a linker namespace
// of its own (dlmopen), where SentencePiece finds only its own Protobuf. Nothing but C types cross:
// no exception, no memory to be freed on the other side. Results are handed to a callback while the
// call lasts. An `error` callback
// receives SentencePiece's own message.

extern "C" {

typedef void (*NmtTextSink)(void* context, const char* data, size_t size);
typedef void (*NmtIdSink)(void* context, const int* ids, size_t count);
// The next line, or null at the end; valid until the next call.
typedef const char* (*NmtLineSource)(void* context, size_t* size);

struct NmtTrainingOption {
  const char* name;
  const char* value;
};

struct NmtSentencePiece {
  // A processor of a serialised model, or null after telling `error` why.
  void* (*load)(const char* model, size_t size, NmtTextSink error, void* context);
  void (*unload)(void* processor);
  int (*vocabulary_size)(const void* processor);
  void (*piece)(const void* processor, int id, NmtTextSink result, void* context);
  // Both return 0 on failure. Safe for several threads at once.
  int (*encode)(const void* processor, const char* text, size_t size, NmtIdSink result,
                void* context);
  int (*decode)(const void* processor, const int* ids, size_t count, NmtTextSink result,
                void* context);
  // A segmentation drawn at random, which the seed decides. Returns 0 for a model of words or
  // characters, or where SentencePiece does not let its generator be seeded. Safe for several
  // threads at once.
  int (*sample)(const void* processor, const char* text, size_t size, float alpha, uint32_t seed,
                NmtIdSink result, void* context);
  void (*special_ids)(const void* processor, int* pad, int* unknown, int* bos, int* eos);
  // Trains a model from the lines and hands over its bytes; returns 0 after telling `error` why.
  int (*train)(const NmtTrainingOption* options, size_t count, NmtLineSource lines, void* source,
               NmtTextSink result, NmtTextSink error, void* context);
};

// The only symbol that is looked up.
const NmtSentencePiece* nmt_sentencepiece();
}
