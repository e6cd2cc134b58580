// Parameters of a method as users write them: "docs=10,weight=0.5".
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/base/plain_number.hpp"

namespace gannet::query {

/// A member of T as users name it. A flag is written as one of two words.
template <class T>
struct Parameter {
  using Member = std::variant<std::uint32_t T::*, double T::*, bool T::*>;
  static constexpr std::string_view kFlagWords[] = {"any", "ascii"};

  std::string_view name;
  Member member;
  double least;
  double greatest;

  bool is_flag() const { return std::holds_alternative<bool T::*>(member); }
  bool is_whole() const { return std::holds_alternative<std::uint32_t T::*>(member); }
  bool allows(double value) const { return value >= least && value <= greatest; }

  double value_of(const T& values) const {
    return std::visit([&](auto one) { return static_cast<double>(values.*one); }, member);
  }
  void set(T& values, double value) const {
    std::visit(
        [&](auto one) {
          using Value = std::remove_reference_t<decltype(values.*one)>;
          values.*one = static_cast<Value>(value);
        },
        member);
  }
  std::string text_of(double value) const {
    return is_flag() ? std::string(kFlagWords[value == 0 ? 0 : 1]) : fmt::format("{}", value);
  }
  std::string range() const {
    if (is_flag()) return fmt::format("one of {}", fmt::join(kFlagWords, ", "));
    return fmt::format("{}between {} and {}", is_whole() ? "a whole number " : "", least, greatest);
  }
  /// The number that is all of `text`, or what a flag's word means; nothing if there is none.
  std::optional<double> parse(std::string_view text) const {
    if (is_flag()) {
      const auto* const found = std::ranges::find(kFlagWords, text);
      if (found == std::end(kFlagWords)) return std::nullopt;
      return found == std::begin(kFlagWords) ? 0 : 1;
    }
    if (!is_whole()) return plain_number<double>(text);
    return plain_number<std::uint32_t>(text);
  }
};

/// All parameters of a method, as messages name it. Immutable; any number of threads may use it.
template <class T>
class ParameterTable {
 public:
  /// `defaults`: for messages.
  ParameterTable(std::string_view method, const T& defaults, std::vector<Parameter<T>> parameters)
      : method_(method), defaults_(defaults), parameters_(std::move(parameters)) {}

  /// Sets what "docs=10,weight=0.5" says; an empty text says nothing. Throws UsageError, with the
  /// names or values that there are, for an unknown name and for a value out of range.
  void read(std::string_view text, T& values) const {
    for (bool more = !text.empty(); more;) {
      const std::size_t comma = text.find(',');
      assign(text.substr(0, comma), values);
      more = comma != std::string_view::npos;
      if (more) text.remove_prefix(comma + 1);
    }
  }

  /// A value out of its range, as a message.
  std::optional<std::string> problem(const T& values) const {
    for (const Parameter<T>& parameter : parameters_) {
      const double value = parameter.value_of(values);
      if (parameter.allows(value)) continue;
      return fmt::format("{}: {} must be {}, not {}", method_, parameter.name, parameter.range(),
                         parameter.text_of(value));
    }
    return std::nullopt;
  }

  /// "method docs=10,weight=0.5", all of them.
  std::string text(const T& values) const {
    std::vector<std::string> all;
    for (const Parameter<T>& parameter : parameters_) {
      all.push_back(
          fmt::format("{}={}", parameter.name, parameter.text_of(parameter.value_of(values))));
    }
    return fmt::format("{} {}", method_, fmt::join(all, ","));
  }

 private:
  void assign(std::string_view assignment, T& values) const {
    const std::size_t equals = assignment.find('=');
    const std::string_view name = assignment.substr(0, equals);
    const std::string_view text =
        equals == std::string_view::npos ? std::string_view{} : assignment.substr(equals + 1);
    const auto found = std::ranges::find(parameters_, name, &Parameter<T>::name);
    if (found == parameters_.end()) {
      throw UsageError(
          fmt::format("{}: no parameter is called '{}'; there are {}", method_, name, choices()));
    }
    const std::optional<double> value = found->parse(text);
    if (!value || !found->allows(*value)) {
      throw UsageError(
          fmt::format("{}: {} must be {}, not '{}'", method_, name, found->range(), text));
    }
    found->set(values, *value);
  }

  std::string choices() const {
    std::vector<std::string> names;
    for (const Parameter<T>& parameter : parameters_) {
      names.push_back(fmt::format("{} ({}; default {})", parameter.name, parameter.range(),
                                  parameter.text_of(parameter.value_of(defaults_))));
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  std::string_view method_;
  T defaults_;
  std::vector<Parameter<T>> parameters_;
};

}  // namespace gannet::query
