// Values of Python's keyword arguments, checked by the rows of the table of options. What a row
// does not allow is a UsageError that names the argument.
#pragma once

#include <string>
#include <type_traits>

#include "tools/options/table/option.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// A str as UTF-8. Throws Python's UnicodeEncodeError for one that has none (a lone surrogate).
std::string text_value(const char* name, nb::handle value);
/// A value with __index__, within the range: no str, no float, whatever it is.
std::uint64_t whole_number(const char* name, const tools::Option& row, nb::handle value);
/// A value with __float__ or __index__, within the range.
double real_number(const char* name, const tools::Option& row, nb::handle value);

/// The value of an option as `name` has it in a dict of keyword arguments.
template <class T>
T value_of(const nb::dict& options, const char* name, const tools::Option& row) {
  const nb::handle value = options[name];
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(whole_number(name, row, value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(real_number(name, row, value));
  } else {
    return static_cast<T>(tools::choice_named(name, std::get<tools::Choice>(row.type).names(),
                                              text_value(name, value)));
  }
}

}  // namespace gannet::python
