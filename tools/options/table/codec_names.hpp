// Names of codecs, for options and for what shells offer.
#pragma once

#include <initializer_list>

#include "codecs/columns.hpp"
#include "codecs/registry.hpp"
#include "tools/options/table/option.hpp"

namespace gannet::tools::options {

inline Names list_codecs() { return split_commas(codecs::list_codec_names()); }
inline Names column_codecs() { return split_commas(codecs::codec_names()); }

inline Names words_and(std::initializer_list<const char*> words, Names names) {
  names.insert(names.begin(), words.begin(), words.end());
  return names;
}
inline Names auto_or_column_codecs() { return words_and({"auto"}, column_codecs()); }
inline Names measured_column_codecs() { return words_and({"all", "auto"}, column_codecs()); }
inline Names measured_list_codecs() { return words_and({"all"}, list_codecs()); }

}  // namespace gannet::tools::options
