// The command line of a subcommand: Boost.Program_options with help that teaches, suggestions for
// mistyped options, and one-line errors.
#pragma once

#include <boost/program_options.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tools/commands/command.hpp"

namespace gannet::tools {

/// The fixed parts of a subcommand's --help.
struct HelpText {
  std::string_view usage;                     ///< "gannet verify --index IDX [OPTIONS]"
  std::string_view description;               ///< what it does; ends without a newline
  std::string_view examples;                  ///< lines as a user would type them; may be empty
  std::string_view unknown_option_hint = {};  ///< ends the message about an unknown option
};

class OptionSet {
 public:
  /// Every subcommand has --help and --json.
  explicit OptionSet(HelpText help);

  /// Declares options: add()("k", value<int>()->default_value(10), "number of hits").
  boost::program_options::options_description_easy_init add() { return options_.add_options(); }
  /// Declares options that --help does not list (names for positional arguments).
  boost::program_options::options_description_easy_init hidden() { return hidden_.add_options(); }
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
