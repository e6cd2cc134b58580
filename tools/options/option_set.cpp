#include "tools/options/option_set.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/terminal/print.hpp"

namespace gannet::tools {

namespace po = boost::program_options;

OptionSet::OptionSet(HelpText help) : help_(help), options_("Options", 100, 55) {
  flag("help,h", "show this help");
  flag("json", "print the result as JSON on stdout");
}

void OptionSet::add(const char* name, const po::value_semantic* value, const std::string& help) {
  options_.add_options()(name, value, help.c_str());
}

void OptionSet::flag(const char* name, const std::string& help) {
  options_.add_options()(name, help.c_str());
}

void OptionSet::hidden(const char* name, const po::value_semantic* value) {
  hidden_.add_options()(name, value);
}

void OptionSet::print_help() const {
  std::ostringstream options;
  options << options_;
  print("Usage: {}\n\n{}\n\n{}", help_.usage, help_.description, options.str());
  if (!help_.examples.empty()) print("\nExamples:\n{}\n", help_.examples);
}

void OptionSet::fail_unknown(const std::string& option) const {
  std::vector<std::string> names;
  for (const auto& declared : options_.options()) names.push_back("--" + declared->long_name());
  throw UsageError(fmt::format("unknown option '{}'{}{}", option,
                               index::did_you_mean(option, names), help_.unknown_option_hint));
}

bool OptionSet::parse(Args args) {
  // Abbreviated options would break scripts once a longer one is added.
  constexpr int style =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  for (const std::string& arg : args) {
    if (arg == "--") break;
    if (arg == "--help" || arg == "-h") {
      print_help();
      return false;
    }
  }
  try {
    const std::vector<std::string> words(args.begin(), args.end());
    po::options_description all;
    all.add(options_).add(hidden_);
    po::store(
        po::command_line_parser(words).options(all).positional(positional_).style(style).run(),
        values_);
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

std::uint64_t parse_size(std::string_view option, std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit.ends_with('B') && unit.size() > 1) unit.remove_suffix(1);
  if (unit.ends_with('i') && unit.size() > 1) unit.remove_suffix(1);
  constexpr std::string_view kUnits = "KMGT";
  const std::size_t power =
      unit.size() == 1 ? kUnits.find(static_cast<char>(unit[0] & ~0x20)) : std::string_view::npos;
  const bool valid = error == std::errc{} && std::isfinite(number) && number >= 0 &&
                     (unit.empty() || power != std::string_view::npos);
  const double bytes =
      unit.empty() ? number : std::ldexp(number, 10 * (static_cast<int>(power & 7) + 1));
  if (!valid || bytes > std::ldexp(1.0, 62)) {
    throw UsageError(fmt::format("{}: '{}' is not a size (such as 512M or 2G)", option, text));
  }
  return static_cast<std::uint64_t>(bytes);
}

void check_range(std::string_view option, std::int64_t value, std::int64_t low, std::int64_t high) {
  if (value < low || value > high) {
    throw UsageError(fmt::format("{}: {} is out of range ({} to {})", option, value, low, high));
  }
}

std::vector<std::string> split_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    if (!part.empty()) parts.emplace_back(part);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return parts;
}

}  // namespace gannet::tools
