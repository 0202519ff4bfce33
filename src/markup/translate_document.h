#pragma once

#include <string>

#ifndef NMT_PUBLIC
#define NMT_PUBLIC __attribute__((visibility("default")))
#endif

namespace nmt {

class Translator;
struct TranslationOptions;

// Part of the public interface, like nmt/translator.h, which declares Translator. Includes only the
// standard library.

enum class DocumentFormat {
  kText,
  kHtml,
  kXml,
  kMarkdown,
  kSubtitles,
  kGettext,
  kWrapped,
  kHtmlLines,
  kTable,
  kXliff
};

/// Translates a document with its markup: sentences are translated without tags, which are put back
/// around the words aligned with the tagged ones. Tags, attributes, comments, scripts, code and
/// what is marked as not translatable (translate="no") stay unchanged. Subtitles (.srt) keep their
/// times; message catalogs (.po) and kXliff keep their messages and get translations for those that
/// have none;
/// kWrapped is plain text whose paragraphs are wrapped into lines; each line of kHtmlLines is HTML
/// by itself; kTable (.tsv) has cells between tabs, which may be quoted.
/// See docs/markup.md. Throws Error if a document with markup is not UTF-8 or declares another
/// encoding, if XML, gettext or subtitles are not well-formed, and for more than 10,000 levels of
/// HTML or two million tags and lines of XML; UsageError as translate() does.
NMT_PUBLIC std::string translate_document(const Translator& translator, const std::string& document,
                                          DocumentFormat format, const TranslationOptions& options);

}  // namespace nmt
