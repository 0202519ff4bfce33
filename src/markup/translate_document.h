#pragma once

#include <string>

#ifndef NMT_PUBLIC
#define NMT_PUBLIC __attribute__((visibility("default")))
#endif

namespace nmt {

class Translator;
struct TranslationOptions;

// For programs that translate, as nmt/translator.h, which declares the Translator. Includes only
// the standard library.

enum class DocumentFormat { kText, kHtml, kXml, kMarkdown, kSubtitles, kGettext };

/// Translates a document with its markup: sentences are translated without tags, which return
/// around the words that came from theirs. Tags, attributes, comments, scripts, code and what is
/// marked as not translatable (translate="no") pass unchanged. Subtitles (.srt) keep their times,
/// message catalogs (.po) their messages, with translations for those that have none. See
/// docs/markup.md. Throws Error when a document with markup is not UTF-8 or declares another
/// encoding, when XML, gettext or subtitles are not well-formed, and for more than 10,000 levels of
/// HTML or two million tags and lines of XML; UsageError as translate().
NMT_PUBLIC std::string translate_document(const Translator& translator, const std::string& document,
                                          DocumentFormat format, const TranslationOptions& options);

}  // namespace nmt
