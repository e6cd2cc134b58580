// Values of Python's keyword arguments, checked by the rows of the table of options.
#pragma once

#include <string>
#include <type_traits>

#include "tools/options/table/option.hpp"
#include "tools/python/common.hpp"

namespace gannet::python {

/// The value of an option as `name` has it in a dict of keyword arguments; what it is not, is a
/// UsageError that names it.
template <class T>
T value_of(const nb::dict& options, const char* name, const tools::Option& row) {
  const nb::handle value = options[name];
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(
        tools::whole_value(name, std::get<tools::Whole>(row.type), nb::str(value).c_str()));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(
        tools::checked_real(name, std::get<tools::Real>(row.type), nb::cast<double>(value)));
  } else {
    return static_cast<T>(tools::choice_named(name, std::get<tools::Choice>(row.type).names(),
                                              nb::cast<std::string>(value)));
  }
}

}  // namespace gannet::python
