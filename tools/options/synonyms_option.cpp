#include "tools/options/synonyms_option.hpp"

#include <fmt/format.h>

#include "corpora/documents/bytes/byte_stream.hpp"

namespace gannet::tools {

std::shared_ptr<const query::Synonyms> read_synonyms(const std::string& path,
                                                     const index::Index& index) {
  constexpr std::size_t kMaxFile = std::size_t{1} << 30;
  const auto rules = query::parse_synonyms(corpora::read_whole_file(path, kMaxFile), path);
  return std::make_shared<const query::Synonyms>(rules, index);
}

std::string left_out_text(const query::Synonyms& synonyms, const std::string& path) {
  const std::size_t count = synonyms.left_out_count();
  if (count == 0) return {};
  std::string examples;
  for (const query::Synonyms::LeftOut& one : synonyms.left_out()) {
    examples += fmt::format("{}line {}: '{}'", examples.empty() ? "" : ", ", one.line, one.entry);
  }
  return fmt::format(
      "{}: {} of the entries {} left out, since this index has none or several words for {}: {}{}",
      path, count, count == 1 ? "is" : "are", count == 1 ? "it" : "them", examples,
      count > synonyms.left_out().size() ? ", ..." : "");
}

}  // namespace gannet::tools
