// Checking columns to their last code, for `verify`.
#pragma once

#include <cstdint>

#include "index/fields/reading/fields_reader.hpp"
#include "index/files/problems.hpp"

namespace gannet::index {

/// Checks all columns of a segment, on as many threads as there are: tables, every code, the order
/// of each document's values and of the strings. Problems are of `area`, in the order of the
/// fields. Returns how many values there are. Throws CancelledError.
std::uint64_t check_fields(const FieldsReader& fields, std::uint32_t area, ProblemList& problems,
                           Progress& progress);

}  // namespace gannet::index
