#pragma once

/// Defines `static std::string_view name()` with the bytes of `file`, a string literal, included by
/// the assembler. The source file's OBJECT_DEPENDS must list the file (nmt_embed in
/// CMakeLists.txt).
#define NMT_EMBED_FILE(name, file)                                              \
  asm(".section .rodata\n"                                                      \
      ".balign 16\n"                                                            \
      ".global " #name "_begin\n.hidden " #name "_begin\n" #name                \
      "_begin:\n"                                                               \
      ".incbin \"" file                                                         \
      "\"\n"                                                                    \
      ".global " #name "_end\n.hidden " #name "_end\n" #name                    \
      "_end:\n"                                                                 \
      ".byte 0\n"                                                               \
      ".previous\n");                                                           \
  extern "C" __attribute__((visibility("hidden"))) const char name##_begin[];   \
  extern "C" __attribute__((visibility("hidden"))) const char name##_end[];     \
  static std::string_view name() {                                              \
    return {name##_begin, static_cast<std::size_t>(name##_end - name##_begin)}; \
  }                                                                             \
  static_assert(true, "a semicolon follows")
