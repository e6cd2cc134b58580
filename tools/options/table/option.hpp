// A row of the table of options: all that the command's parser, its help, the manual's reference
// and Python's keyword arguments know about an option.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gannet::tools {

/// Names that an option takes, in the order of the values of their enumeration, if there is one.
using Names = std::vector<std::string>;

struct Flag {};  ///< without a value
/// What a text names, by which shells complete it.
enum class Kind {
  kAny,
  kFile,  ///< or '-', or a folder where the command reads all files in it
  kFolder,
  kCommand,  ///< a command of gannet, and its part: bench decode
};
struct Text {
  Kind kind = Kind::kAny;
  Names (*names)() = nullptr;  ///< what shells offer, where the command checks the text itself
  bool several = false;        ///< with commas between
};
/// Several texts: the option is given several times, or (`words`) has several words behind it.
struct Texts {
  bool words = false;
  Kind kind = Kind::kAny;
};
struct Size {};  ///< bytes: 512M, 2G
struct Whole {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  std::optional<std::uint64_t> bare = {};  ///< what the option says without a number
};
struct Real {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};
/// One of the names, which `names` takes from where the library has them; or (`several`) some, with
/// commas between.
struct Choice {
  Names (*names)();
  bool several = false;
};

/// What holds without the option.
struct Default {
  std::string_view text = {};  ///< as a user would type it; empty: nothing
  bool required = false;       ///< the option must be given
};
inline constexpr Default kNone{};
inline constexpr Default kRequired{{}, true};

struct Option {
  std::string_view name;  ///< as on the command line; Python has '_' for '-'
  std::variant<Flag, Text, Texts, Size, Whole, Real, Choice> type;
  Default standard;
  /// What it does. A line end with blanks behind it is one blank. "{}" stands for the names of a
  /// choice, or for what `rest` gives.
  std::string_view sentence;
  std::string (*rest)() = nullptr;
};

/// What shells offer: the names of a choice, or of a text that has some.
Names offered_names(const Option& option);
/// Whether the names are given with commas between.
bool takes_several(const Option& option);
Kind kind_of(const Option& option);
/// The sentence as it is shown.
std::string sentence_of(const Option& option);
/// "or, and"; "0 to 4294967295"; "0 on"; "" for what has no range.
std::string range_of(const Option& option);
/// "flag", "text", "texts", "size", "integer", "number", "choice" or "choices".
std::string_view type_of(const Option& option);

// What follows throws UsageError that names the option as `label` has it ("--k", in Python "k"),
// the value, the range, and of names the nearest one.

/// The number of a name, that of a value of an enumeration.
std::size_t choice_named(std::string_view label, const Names& names, std::string_view typed);
/// A number of a Whole or a Real option as typed.
std::uint64_t whole_value(std::string_view label, const Whole& range, std::string_view typed);
double real_value(std::string_view label, const Real& range, std::string_view typed);
/// The number, which is in the range.
double checked_real(std::string_view label, const Real& range, double number);
/// "512M", "2G", "64K", "1.5G", "1000000" as bytes (powers of 1024).
std::uint64_t parse_size(std::string_view label, std::string_view typed);
/// Unless `typed` is what the option takes.
void check_value(std::string_view label, const Option& option, std::string_view typed);
/// Unless low <= value <= high.
void check_range(std::string_view label, std::int64_t value, std::int64_t low, std::int64_t high);

/// "a,b,c" as {"a", "b", "c"}, without blanks around them; empty parts vanish.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace gannet::tools
