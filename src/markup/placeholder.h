#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace nmt {

/// Length of the placeholder at the beginning of a text, which a program will replace or read:
/// printf directives as in C and Python (%d, %1$s, %(name)s, %%), Qt (%1), braces ({0}, {name}, {{
/// name }}, %{name}, ${name} and messages of ICU), variables of a shell ($name), character
/// references (&nbsp;), names of a word (@name, !name, :name), options (--file=FILE). 0 if there is
/// none. `directives`: first characters of those of the message's format: with '%', all of printf's
/// in any language, otherwise also %name; with '~', those of Lisp.
size_t placeholder_length(std::string_view text, std::string_view directives = "");

/// The same of the placeholder at byte `at` of a text; 0 also for a name within a word (a@b) and,
/// without printf's directives, for a percentage: "100%ige", "50 %iger" and "20%-ige". With the
/// colon after it, if a space follows that: "%s: ".
size_t placeholder_length_at(std::string_view text, size_t at, std::string_view directives = "");

/// Length of a template's instruction at the beginning: {% ... %}, <% ... %>. 0 if there is none.
size_t instruction_length(std::string_view text);

/// The same, or the length of a placeholder that cannot be prose: {{ name }}, ${name}, %1$s,
/// %(name)s.
size_t template_length(std::string_view text);

/// Length of the attributes of an element of Markdown that begin the text, such as {#id},
/// {.class width=50%} and {: lang=de}, as many dialects have them; 0 for other text.
size_t attributes_length(std::string_view text);

/// All placeholders of a text, in order, as views into it.
std::vector<std::string_view> placeholders(std::string_view text, std::string_view directives);

/// The directives of a text that take their arguments by position: "%s" and "{}", but not "%1$s",
/// "%m" and "{0}".
struct NextArguments {
  std::vector<std::string_view> directives;  // in order; parts of the text
  bool are_all = true;                       // no other directives, "%%" and "{{" aside
};

/// `first`: '%' for those of printf, '{' for those in braces, '~' for those of Lisp.
NextArguments next_arguments(std::string_view text, char first);

/// Such a directive with the number of its argument, counted from 1: 2 gives "%2$s" and "{1}". ""
/// if it may take several arguments: "%*d".
std::string with_argument(std::string_view directive, size_t number);

}  // namespace nmt
