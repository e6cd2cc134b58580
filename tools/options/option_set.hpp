// The command line of a subcommand: Boost.Program_options with help that teaches, suggestions for
// mistyped options, and one-line errors.
#pragma once

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/sources/fields.hpp"
#include "tools/terminal/exit_code.hpp"

namespace gannet::tools {

/// The fixed parts of a subcommand's --help.
struct HelpText {
  /// "gannet verify --index IDX [OPTIONS]"
  std::string_view usage;
  /// What it does; ends without a newline.
  std::string_view description;
  /// Lines as a user would type them; may be empty.
  std::string_view examples;
  /// Ends the message about an unknown option.
  std::string_view unknown_option_hint = {};
};

/// The values that options take. The caller hands what these return to OptionSet::add().
using TextValue = boost::program_options::typed_value<std::string>;
using TextsValue = boost::program_options::typed_value<std::vector<std::string>>;
inline TextValue* text() { return boost::program_options::value<std::string>(); }
inline TextValue* text(const char* standard) { return text()->default_value(standard); }
/// Several values, read by get<std::vector<std::string>>().
inline TextsValue* texts() { return boost::program_options::value<std::vector<std::string>>(); }

/// A number that corpora::parse_number<T>() reads. Boost's own value would take "-1" for an
/// unsigned one, and "nan".
template <class T>
class NumberValue : public boost::program_options::typed_value<T> {
 public:
  NumberValue() : boost::program_options::typed_value<T>(nullptr) {}
  /// What the option says without a value. A word behind it would be taken for its value.
  NumberValue* without_value(T value) {
    this->implicit_value(value, fmt::format("{}", value));
    without_value_ = value;
    return this;
  }
  void xparse(boost::any& store, const std::vector<std::string>& tokens) const override {
    namespace po = boost::program_options;
    if (tokens.empty() && without_value_) {
      store = boost::any(*without_value_);
      return;
    }
    const std::string& token = po::validators::get_single_string(tokens);
    const std::optional<T> parsed = corpora::parse_number<T>(token);
    if (!parsed) throw po::invalid_option_value(token);
    store = boost::any(*parsed);
  }

 private:
  std::optional<T> without_value_;
};
template <class T>
NumberValue<T>* number() {
  return new NumberValue<T>();
}
template <class T>
NumberValue<T>* number(T standard) {
  auto* const value = new NumberValue<T>();
  value->default_value(standard, fmt::format("{}", standard));
  return value;
}

class OptionSet {
 public:
  /// Every subcommand has --help and --json.
  explicit OptionSet(HelpText help);

  /// Declares an option with a value: add("k", number<int>(10), "number of hits"). Takes `value`.
  void add(const char* name, const boost::program_options::value_semantic* value,
           const std::string& help);
  /// Declares an option without a value; has() tells whether it was given.
  void flag(const char* name, const std::string& help);
  /// Declares an option that --help does not list (a name for positional arguments).
  void hidden(const char* name, const boost::program_options::value_semantic* value);
  /// The arguments without an option's name go to `option`.
  void positional(const char* option, int max_count = -1) { positional_.add(option, max_count); }

  /// Parses. Returns false if --help was asked for (and printed): then the caller returns kOk.
  /// Throws UsageError.
  bool parse(Args args);

  /// After parse().
  bool has(const std::string& option) const { return values_.count(option) != 0; }
  template <class T>
  const T& get(const std::string& option) const {
    return values_[option].as<T>();
  }
  bool json() const { return has("json"); }

 private:
  void print_help() const;
  [[noreturn]] void fail_unknown(const std::string& option) const;

  HelpText help_;
  boost::program_options::options_description options_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  boost::program_options::variables_map values_;
};

/// "512M", "2G", "64K", "1.5G", "1000000" as bytes (powers of 1024). Throws UsageError.
std::uint64_t parse_size(std::string_view option, std::string_view text);

/// Throws UsageError unless low <= value <= high.
void check_range(std::string_view option, std::int64_t value, std::int64_t low, std::int64_t high);

/// "a,b,c" as {"a", "b", "c"}; empty parts vanish.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace gannet::tools
