// The parameters of a codec, as users type them: "rles=2,deltas=1".
#pragma once

#include <charconv>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"

namespace gannet::codecs {

/// Parsed "key=number" pairs. A codec takes the parameters that it knows, then calls finish(),
/// which refuses the others. Threads may share an object that none of them changes.
class Parameters {
 public:
  Parameters() = default;

  /// Parses "key=number,key=number" or "". Numbers are decimal, 0 to 2^64 - 1. If a key is given
  /// twice, its last number counts. Throws UsageError for any other form.
  explicit Parameters(std::string_view text) {
    while (!text.empty()) {
      const std::string_view pair = text.substr(0, text.find(','));
      text.remove_prefix(pair.size() == text.size() ? pair.size() : pair.size() + 1);
      const std::size_t equals = pair.find('=');
      std::uint64_t number = 0;
      const char* end = pair.data() + pair.size();
      if (equals == 0 || equals == std::string_view::npos ||
          std::from_chars(pair.data() + equals + 1, end, number) !=
              std::from_chars_result{end, std::errc{}}) {
        throw UsageError("'" + std::string(pair) + "' is not of the form parameter=number");
      }
      values_[std::string(pair.substr(0, equals))] = number;
    }
  }

  /// Removes parameter `key` and returns its number. Returns `otherwise`, unchecked, if the
  /// parameter was not given. Throws UsageError if the number is not in [least, most].
  std::uint32_t take(const std::string& key, std::uint32_t otherwise, std::uint32_t least,
                     std::uint32_t most) {
    const auto found = values_.find(key);
    if (found == values_.end()) return otherwise;
    const std::uint64_t value = found->second;
    values_.erase(found);
    if (value < least || value > most) {
      throw UsageError("parameter " + key + " must be from " + std::to_string(least) + " to " +
                       std::to_string(most) + ", not " + std::to_string(value));
    }
    return static_cast<std::uint32_t>(value);
  }

  /// Throws UsageError if a parameter is left. The message names `codec` and the first one by name.
  void finish(std::string_view codec) const {
    if (values_.empty()) return;
    throw UsageError(std::string(codec) + " has no parameter '" + values_.begin()->first + "'");
  }

 private:
  std::map<std::string, std::uint64_t> values_;
};

}  // namespace gannet::codecs
