// Names under which documents of other programs have their ids.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Whether a member or a column of this name is likely to have the ids where none is called "id":
/// those of TREC, MS MARCO, BEIR and ir_datasets, in letters of any case.
inline bool is_id_name(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames{"id",     "docno", "docid",
                                                          "doc_id", "_id",   "document_id"};
  const auto same = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a + ('a' - 'A') : a) == b;
  };
  return std::any_of(kNames.begin(), kNames.end(), [&](std::string_view one) {
    return std::equal(name.begin(), name.end(), one.begin(), one.end(), same);
  });
}

/// What to do where the ids seem to be in `name`.
inline std::string id_field_hint(std::string_view name) {
  return ", but '" + std::string(name) + "'; --id-field " + std::string(name) +
         " takes that for the id";
}

}  // namespace gannet::corpora
