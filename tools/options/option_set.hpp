// The command line of a subcommand: Boost.Program_options with rows of the table of options, help
// that teaches, suggestions for mistyped options and values, and one-line errors.
#pragma once

#include <boost/program_options.hpp>

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tools/options/table/option.hpp"
#include "tools/terminal/exit_code.hpp"

namespace gannet::tools {

/// The fixed parts of a subcommand's --help.
struct HelpText {
  /// "gannet verify --index IDX [OPTIONS]"
  std::string_view usage;
  /// What it does. Here and in the examples line ends at the beginning and the end do not count.
  std::string_view description;
  /// Lines as a user would type them; may be empty.
  std::string_view examples;
  /// Ends the message about an unknown option.
  std::string_view unknown_option_hint = {};
  /// The option that a word is meant for which the command does not take: "id". Empty: the first
  /// required one that is missing.
  std::string_view extra_word = {};
};

/// What a command says of itself.
struct Description {
  HelpText help = {};
  std::vector<const Option*> rows = {};
  const Option* positional = nullptr;  ///< what words without an option's name are, if in a row
};

class OptionSet {
 public:
  /// Every subcommand has --help and --json.
  explicit OptionSet(HelpText help);

  /// Declares options, which must stay: rows, and arrays of rows.
  template <class... Rows>
  void add(const Rows&... rows) {
    (declare(rows), ...);
  }
  /// Declares one that --help does not list, of several texts: a name for positional arguments.
  void hidden(const char* name);
  /// The arguments without an option's name go to `option`.
  void positional(const char* option, int max_count = -1);
  /// What `run`, a command's function, declares. It is called and does nothing else.
  static Description describe(int (*run)(Args args));
  /// The command opens an index: tools/options/index_argument.hpp says which one. The words that
  /// are left are values of `rest`, an option of several texts; without it there are to be none.
  void index_first(const char* rest = nullptr);
  /// The same where the command also works without an index: GANNET_INDEX is not looked at.
  void index_if_named();

  /// Parses. Returns false if --help was asked for (and printed; with --json the rows of the
  /// options): then the caller returns kOk. Throws UsageError for options that there are not, and
  /// for values that their rows do not allow.
  bool parse(Args args);

  /// After index_if_named() and parse(): now there must be one. Throws UsageError.
  void need_index();

  /// After parse().
  bool has(const std::string& option) const { return values_.count(option) != 0; }
  /// The value: a number, std::string, or std::vector<std::string>; empty for a text that was not
  /// given. Sizes are bytes.
  template <class T>
  decltype(auto) get(const std::string& option) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(values_[option].as<std::uint64_t>());
    } else if constexpr (std::is_floating_point_v<T>) {
      return static_cast<T>(values_[option].as<double>());
    } else {
      static const T kNotGiven;
      return has(option) ? values_[option].as<T>() : kNotGiven;
    }
  }
  /// The values of an enumeration that are named, in the order of the row's names.
  template <class Enum>
  Enum choice(const std::string& option) const {
    return static_cast<Enum>(number_of(option, get<std::string>(option)));
  }
  template <class Enum>
  std::vector<Enum> choices(const std::string& option) const {
    std::vector<Enum> values;
    for (const std::string& name : split_commas(get<std::string>(option))) {
      values.push_back(static_cast<Enum>(number_of(option, name)));
    }
    return values;
  }
  bool json() const { return has("json"); }
  /// Gives an option without a value one that was found out.
  void set(const std::string& option, const std::string& value);

 private:
  void declare(const Option& option);
  void declare(std::span<const Option> options) {
    for (const Option& option : options) declare(option);
  }
  void print_help() const;
  void print_rows() const;
  void check_letters(const boost::program_options::parsed_options& parsed) const;
  void settle_index();
  [[noreturn]] void fail_extra(const std::string& word) const;
  [[noreturn]] void fail_unknown(const std::string& option) const;
  std::size_t number_of(const std::string& option, std::string_view name) const;

  enum class IndexUse { kNever, kIfNamed, kAlways };

  Description description_;
  IndexUse index_use_ = IndexUse::kNever;
  bool takes_words_ = false;    ///< some words without an option's name mean something
  const char* rest_ = nullptr;  ///< the option that takes the words behind the index
  boost::program_options::options_description options_;
  boost::program_options::options_description hidden_;
  boost::program_options::positional_options_description positional_;
  boost::program_options::variables_map values_;
};

}  // namespace gannet::tools
