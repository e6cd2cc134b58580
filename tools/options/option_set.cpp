#include "tools/options/option_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/options/index_argument.hpp"
#include "tools/options/table/letters.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {

namespace po = boost::program_options;

namespace {

/// Where parse() writes instead of parsing, while describe() asks for it.
Description* description_wanted = nullptr;

constexpr Option kHelp{"help", Flag{}, kNone, "show this help"};
/// Where Boost puts the words of commands that open an index. Nobody types it as an option.
constexpr const char* kWords = "words without an option";
constexpr Option kJson{"json", Flag{}, kNone, "print the result as JSON on stdout"};

std::uint64_t parse(const Whole& range, std::string_view label, const std::string& typed) {
  return whole_value(label, range, typed);
}
double parse(const Real& range, std::string_view label, const std::string& typed) {
  return real_value(label, range, typed);
}
std::uint64_t parse(Size, std::string_view label, const std::string& typed) {
  return parse_size(label, typed);
}
std::string parse(Text, std::string_view, const std::string& typed) { return typed; }

/// What a row says of its value, for Boost. (Its own values would take "-1" for a number without a
/// sign, and "nan".)
template <class Type>
class Value : public po::typed_value<decltype(parse(Type(), {}, {}))> {
  using T = decltype(parse(Type(), {}, {}));

 public:
  Value(const Option& row, const Type& type)
      : po::typed_value<T>(nullptr), row_(row), type_(type), label_(fmt::format("--{}", row.name)) {
    const std::string standard(row.standard.text);
    if (row.standard.required) this->required();
    if (!standard.empty()) this->default_value(parse(type, label_, standard), standard);
    if constexpr (std::is_same_v<Type, Whole>) {
      if (type.bare) this->implicit_value(*type.bare, fmt::format("{}", *type.bare));
    }
  }

  void xparse(boost::any& store, const std::vector<std::string>& tokens) const override {
    if constexpr (std::is_same_v<Type, Whole>) {
      if (tokens.empty() && type_.bare) {
        store = boost::any(*type_.bare);
        return;
      }
    }
    const std::string& typed = po::validators::get_single_string(tokens, true);
    if constexpr (std::is_same_v<Type, Text>) {
      po::validators::check_first_occurrence(store);
      check_value(label_, row_, typed);  // of a choice, whose names parse() does not know
    }
    store = boost::any(parse(type_, label_, typed));
  }

 private:
  const Option& row_;
  Type type_;
  std::string label_;
};

struct MakeValue {
  const Option& row;
  po::value_semantic* operator()(Flag) const { return new po::untyped_value(true); }
  po::value_semantic* operator()(Texts type) const {
    auto* const value = po::value<std::vector<std::string>>();
    if (row.standard.required) value->required();
    return type.words ? value->multitoken() : value->composing();
  }
  po::value_semantic* operator()(const Choice&) const { return new Value<Text>(row, {}); }
  template <class Type>
  po::value_semantic* operator()(const Type& type) const {
    return new Value<Type>(row, type);
  }
};

/// Without the line ends around it, which raw strings have.
std::string_view trimmed(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

}  // namespace

OptionSet::OptionSet(HelpText help) : description_{.help = help}, options_("Options", 100, 55) {
  add(kHelp, kJson);
}

void OptionSet::declare(const Option& option) {
  description_.rows.push_back(&option);
  std::string name(option.name);
  if (const char letter = letter_of(option.name)) (name += ',') += letter;
  options_.add_options()(name.c_str(), std::visit(MakeValue{option}, option.type),
                         sentence_of(option).c_str());
}

void OptionSet::hidden(const char* name) {
  hidden_.add_options()(name, po::value<std::vector<std::string>>());
}

void OptionSet::positional(const char* option, int max_count) {
  takes_words_ = true;
  positional_.add(option, max_count);
  const auto row = std::ranges::find(description_.rows, option, &Option::name);
  if (row != description_.rows.end()) description_.positional = *row;
}

Description OptionSet::describe(int (*run)(Args args)) {
  Description description;
  description_wanted = &description;
  const std::vector<std::string> help{"--help"};
  run(help);
  description_wanted = nullptr;
  return description;
}

void OptionSet::index_first(const char* rest) {
  index_use_ = IndexUse::kAlways;
  rest_ = rest;
  hidden(kWords);
  positional(kWords);
  // Words of the command line are completed as folders, since the first one is the index.
  const auto row = std::ranges::find(description_.rows, "index", &Option::name);
  if (row != description_.rows.end()) description_.positional = *row;
}

void OptionSet::index_if_named() {
  index_first();
  index_use_ = IndexUse::kIfNamed;
}

void OptionSet::set(const std::string& option, const std::string& value) {
  values_.insert_or_assign(option, po::variable_value(boost::any(value), false));
}

void OptionSet::settle_index() {
  std::optional<std::string> named;
  if (has("index")) named = get<std::string>("index");
  IndexArgument found =
      index_argument(named, get<std::vector<std::string>>(kWords), rest_ != nullptr);
  if (found.index) set("index", *found.index);
  if (!found.words.empty() && rest_ == nullptr) {
    if (named && found.words.size() == 1) {
      throw UsageError(fmt::format("the index is named twice: --index {} and '{}'; leave one out",
                                   *named, found.words[0]));
    }
    fail_extra(found.words[0]);
  }
  if (!found.words.empty()) {
    auto all = get<std::vector<std::string>>(rest_);
    all.insert(all.end(), found.words.begin(), found.words.end());
    values_.insert_or_assign(rest_, po::variable_value(boost::any(std::move(all)), false));
  }
  if (index_use_ == IndexUse::kAlways) need_index();
}

/// The command does not take the word: names the option that it is probably meant for.
void OptionSet::fail_extra(const std::string& word) const {
  std::string_view meant = description_.help.extra_word;
  for (const Option* const row : description_.rows) {
    const bool is_text = std::holds_alternative<Text>(row->type);
    if (meant.empty() && is_text && row->standard.required && !has(std::string(row->name))) {
      meant = row->name;
    }
  }
  throw UsageError(fmt::format(
      "'{}': {}; {}", word,
      index_use_ == IndexUse::kNever ? "the command takes no word without an option"
                                     : "the command takes one word without an option, the index",
      meant.empty() ? "see --help" : fmt::format("did you mean --{} {}?", meant, word)));
}

void OptionSet::need_index() {
  if (has("index")) return;
  const auto index = index_of_environment();
  if (!index) {
    throw UsageError(
        fmt::format("the index is missing: name it by the first word, by --index, or in the "
                    "environment variable {}",
                    kIndexVariable));
  }
  set("index", *index);
}

/// "-k3" is -k 3. "-nuclear" is no -n, but a word of a query that somebody forgot to quote.
void OptionSet::check_letters(const po::parsed_options& parsed) const {
  for (const po::option& option : parsed.options) {
    if (option.position_key != -1 || option.original_tokens.size() != 1) continue;
    const std::string& token = option.original_tokens[0];
    if (token.starts_with("--") || !token.starts_with('-') || option.value.empty()) continue;
    const std::string& value = option.value[0];
    if (value.empty() || value[0] < '0' || value[0] > '9') fail_unknown(token);
  }
}

void OptionSet::print_help() const {
  std::ostringstream options;
  options << options_;
  const HelpText& help = description_.help;
  print("Usage: {}\n\n{}\n\n{}", help.usage, trimmed(help.description), options.str());
  if (!help.examples.empty()) print("\nExamples:\n{}\n", trimmed(help.examples));
}

void OptionSet::print_rows() const {
  Json rows = Json::array();
  for (const Option* const row : description_.rows) {
    const char letter = letter_of(row->name);
    Json json{{"name", row->name},
              {"type", type_of(*row)},
              {"required", row->standard.required},
              {"default", row->standard.text},
              {"sentence", sentence_of(*row)},
              {"letter", letter == 0 ? std::string() : std::string(1, letter)}};
    if (const auto* const choice = std::get_if<Choice>(&row->type)) {
      json["choices"] = choice->names();
    } else {
      json["range"] = range_of(*row);
    }
    rows.push_back(std::move(json));
  }
  const HelpText& help = description_.help;
  print_result("help", {{"usage", help.usage},
                        {"description", trimmed(help.description)},
                        {"examples", trimmed(help.examples)},
                        {"options", std::move(rows)}});
}

void OptionSet::fail_unknown(const std::string& option) const {
  std::vector<std::string> names;
  for (const auto& declared : options_.options()) names.push_back("--" + declared->long_name());
  throw UsageError(fmt::format("unknown option '{}'{}{}", option,
                               index::did_you_mean(option, names),
                               description_.help.unknown_option_hint));
}

std::size_t OptionSet::number_of(const std::string& option, std::string_view name) const {
  const auto row = std::ranges::find(description_.rows, option, &Option::name);
  return choice_named("--" + option, std::get<Choice>((*row)->type).names(), name);
}

bool OptionSet::parse(Args args) {
  if (description_wanted != nullptr) {
    *description_wanted = description_;
    return false;
  }
  // Abbreviated options would break scripts once a longer one is added.
  constexpr int style =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  const auto options =
      args.first(static_cast<std::size_t>(std::ranges::find(args, "--") - args.begin()));
  const auto asks = [&](const char* word) {
    return std::ranges::find(options, word) != options.end();
  };
  if (asks("--help") || asks("-h")) {
    asks("--json") ? print_rows() : print_help();
    return false;
  }
  try {
    const std::vector<std::string> words(args.begin(), args.end());
    if (!takes_words_) {
      hidden(kWords);
      positional_.add(kWords, -1);
    }
    po::options_description all;
    all.add(options_).add(hidden_);
    const auto parsed =
        po::command_line_parser(words).options(all).positional(positional_).style(style).run();
    check_letters(parsed);
    po::store(parsed, values_);
    if (has("help")) {  // "-vh"
      print_help();
      return false;
    }
    if (!takes_words_ && has(kWords)) {
      fail_extra(get<std::vector<std::string>>(kWords).front());
    }
    if (index_use_ != IndexUse::kNever) settle_index();
    po::notify(values_);
  } catch (const po::unknown_option& e) {
    fail_unknown(e.get_option_name());
  } catch (const po::too_many_positional_options_error&) {
    throw UsageError("there are arguments without an option; see --help");
  } catch (const po::error& e) {
    throw UsageError(fmt::format("{}; see --help", e.what()));
  }
  return true;
}

}  // namespace gannet::tools
