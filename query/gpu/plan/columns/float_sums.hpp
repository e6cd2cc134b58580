// How floating-point numbers are added up exactly by a kernel, and what their sum is.
#pragma once

#include <optional>
#include <vector>

#include "index/fields/field_column.hpp"
#include "query/backend/column_work.hpp"
#include "query/gpu/plan/code_slots.hpp"

namespace gannet::query::cuda {

/// How the values of a column of floating-point numbers are added up; FloatSums::rare is null.
/// Nothing if the column is damaged: the host tells of it.
std::optional<FloatSums> float_sums_of(const index::FieldColumn& column);

/// The parts whose sum is that of the values. `rare`: FloatSums::rare, or null if nothing is there.
std::vector<ScaledNumber> scaled_numbers(const FloatSums& floats, const FieldSums& sums,
                                         const unsigned long long* rare);

}  // namespace gannet::query::cuda
