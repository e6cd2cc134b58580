// Words of scripts that do not separate them, found with ICU's dictionaries.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gannet::index {

/// Cuts `run` (valid UTF-8, at most 2 GB) into words; returns their sizes in bytes, which add up to
/// run.size(). Thread-safe; each thread keeps an iterator. Takes about 200 ns a character. Throws
/// IoError if ICU's data cannot be loaded.
std::vector<std::size_t> sizes_of_dictionary_words(std::string_view run);

}  // namespace gannet::index
