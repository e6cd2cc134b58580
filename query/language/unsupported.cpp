#include "query/language/unsupported.hpp"

#include <algorithm>
#include <array>

#include "index/fields/text_terms.hpp"
#include "query/filter/check_filter.hpp"

namespace gannet::query {
namespace {

/// The grammars, as read: Lucene's QueryParser.jj (classic) and StandardSyntaxParser.jj (flexible,
/// with `@`); Elasticsearch's "Query string syntax"; tantivy's query_grammar.rs and the page of its
/// QueryParser; Terrier's doc/querylanguage.md. Where one word has several forms, the first one of
/// this table is named.
constexpr std::array kForms{
    RefusedForm{"wind && sun", "LE", "the operator is called AND, not '&&'", find_symbolic_and, 0,
                true},
    RefusedForm{"wind || sun", "LE", "the operator is called OR, not '||'", find_symbolic_or, 0,
                true},
    RefusedForm{"wind AND !sun", "LE",
                "negation is written NOT or with a '-' before the word, not '!'", find_exclamation,
                '!', true},
    RefusedForm{"+-wind", "LT", "two signs stand side by side; write one of them", find_two_signs,
                0, true},
    RefusedForm{"[a TO b]", "LET",
                "a range is of a field's values, FIELD:[10 TO 20]; words have none", find_range, 0,
                true},
    RefusedForm{"mot\"juste here\"", "LETR",
                "a phrase in quotation marks begins behind white space", find_inner_quote, '"'},
    RefusedForm{"'wind power'", "T", "a phrase stands in double quotation marks, \"wind power\"",
                find_single_quotes},
    RefusedForm{"IN [wind sun]", "T",
                "sets are not known; write (a OR b), of a field FIELD:(a OR b)", find_set, 0, true},
    RefusedForm{"{wind gale}", "R", "synonyms in braces are not known; write (a OR b)",
                find_synonyms},
    RefusedForm{">5", "LET",
                "a comparison is of a field's values, FIELD:>5; if the mark is just text, leave it "
                "out",
                find_comparison, 0, true},
    RefusedForm{"year>2000", "none", "a comparison is written FIELD:>VALUE, equality FIELD:VALUE",
                find_field_comparison, 0, true},
    RefusedForm{"year : 2000", "none",
                "a field's name, the ':' and its value stand together, FIELD:VALUE",
                find_apart_colon, ':', true},
    RefusedForm{"#combine(wind power)", "R",
                "operators of Indri and Terrier ('#...') are not known, but #odN(...) and "
                "#uwN(...), with a number from 1 on; write AND, OR, NOT, and weights as in "
                "(a b)^2.5",
                find_operator_call},
    RefusedForm{"wind NEAR power", "Xapian, Endeca, Oracle Text",
                "NEAR and ONEAR have a number from 1 on, as in NEAR/3; ADJ is written ONEAR, and "
                "XOR is not known; in small letters it is a word like any other",
                find_proximity},
    RefusedForm{"(wind sun)~2", "L",
                "behind a group stands white space or a weight, as in (a b)^2.5; how many of its "
                "words must match is not known, and how near they are is said of phrases, "
                "\"a b\"~2",
                find_group_suffix},
    RefusedForm{"_exists_:year", "E", "that a document has a field is written FIELD:*",
                find_exists_field, 0, true},
    RefusedForm{"author:smith", "LETR", "", find_field, ':'},
    RefusedForm{"wind.title", "R", "a word of a text is written TEXT:word, as in title:wing",
                find_field_suffix, '.'},
    RefusedForm{"wind\\:", "LET", "a backslash escapes nothing: such characters are just text",
                find_escape, '\\'},
    RefusedForm{"*", "LET", "all documents are *:*; if '*' is just text, leave it out",
                find_everything},
    RefusedForm{"wind^2,5", "LET", "behind '^' stands no weight; write a number as in word^2.5",
                find_false_weight, '^'},
};

std::string space_instead(char character) {
  return std::string("; if '") + character + "' is just text, put a space in its place";
}

/// `FIELD:` of a word that find_field() found something in.
std::string field_message(const WordPlace& place, std::size_t colon) {
  static const index::Schema kNoFields;
  const index::Schema& schema = place.schema != nullptr ? *place.schema : kNoFields;
  const std::string_view name = place.word.substr(0, colon);
  if (name == index::kContentsField && !schema.has_text()) {
    return "this index has one text, where all words are searched; leave '" + std::string(name) +
           ":' out";
  }
  return "there is no field '" + std::string(name) + "'" + field_meant(name, schema) +
         space_instead(':') + "; " + fields_of(schema);
}

std::optional<Unsupported> find_form(const WordPlace& place, bool filter) {
  for (const RefusedForm& form : kForms) {
    if (filter && !form.in_filters) continue;
    const std::size_t at = form.find(place);
    if (at == kNowhere) continue;
    if (form.find == find_field) return Unsupported{at, field_message(place, at)};
    return Unsupported{at, std::string(form.message) +
                               (form.text != 0 ? space_instead(form.text) : std::string())};
  }
  return std::nullopt;
}

}  // namespace

std::span<const RefusedForm> refused_forms() { return kForms; }

std::optional<Unsupported> find_unsupported(const WordPlace& place) {
  return find_form(place, false);
}

std::optional<Unsupported> find_unsupported_in_filter(const WordPlace& place) {
  return find_form(place, true);
}

std::optional<Unsupported> find_unsupported_value(std::string_view value, bool in_list) {
  constexpr const char* kQuote = "; to mean the characters, put the value in quotation marks";
  const WordPlace place{value, 0, value, nullptr, false, false};
  const auto refused = [&](std::size_t at, const char* what) {
    return Unsupported{at, std::string(what) + kQuote};
  };
  if (value.empty()) return std::nullopt;
  if (const std::size_t at = find_symbolic_and(place); at != kNowhere) {
    return refused(at, "the operator is called AND, not '&&'");
  }
  if (const std::size_t at = find_symbolic_or(place); at != kNowhere) {
    return refused(at, "the operator is called OR, not '||'");
  }
  if (value.front() == '!') return refused(0, "negation is NOT or '-' before the field, not '!'");
  if (in_list && (value.front() == '-' || value.front() == '+')) {
    return refused(0, "values in parentheses have no signs");
  }
  if (is_regex_at(value, 0)) return refused(0, "regular expressions ('/.../') are not known");
  if (const std::size_t at = value.find('?'); at != kNowhere) {
    return refused(at, "wildcards ('?') are not known");
  }
  if (const std::size_t at = find_fuzzy(place); at != kNowhere) {
    return refused(at, "fuzzy values ('~') are not known");
  }
  return std::nullopt;
}

}  // namespace gannet::query
