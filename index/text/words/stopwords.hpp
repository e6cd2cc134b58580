// Lists of stop words.
#pragma once

#include <span>
#include <string_view>

namespace gannet::index {

/// The stop words of a list, lower-case and sorted: "english" (the 33 words that Lucene's English
/// analyzer drops, so that results compare) or "none". Throws UsageError for any other name.
std::span<const std::string_view> stopwords_named(std::string_view name);

}  // namespace gannet::index
