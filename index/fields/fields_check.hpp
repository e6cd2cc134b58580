// Checking a column to its last code, for `verify`.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "index/fields/fields_reader.hpp"

namespace gannet::index {

/// What is wrong with a block that its first decoding does not show: values of a document that do
/// not ascend. Nothing if it is sound. Throws FormatError. Thread-safe.
std::optional<std::string> check_block(const MappedColumn& column, std::size_t block);

/// What is wrong with the whole: a limit that no code reaches, strings that are out of order.
/// Nothing if it is sound. Throws FormatError. `step` is called now and then.
std::optional<std::string> check_whole(const MappedColumn& column,
                                       const std::function<void()>& step);

}  // namespace gannet::index
