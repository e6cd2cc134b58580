#include "query/columns/field_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/columns/access/document_codes.hpp"
#include "query/columns/access/field_access.hpp"

namespace gannet::query {
namespace {

/// The order of the docids, so that each segment and block comes once.
std::vector<std::size_t> ascending(std::span<const std::uint32_t> docids) {
  std::vector<std::size_t> order(docids.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return docids[i]; });
  return order;
}

}  // namespace

std::vector<std::size_t> field_numbers(const index::Schema& schema,
                                       std::span<const std::string> names, std::string_view what) {
  check_names(schema, names, what);
  std::vector<std::size_t> numbers;
  for (const std::string& name : names) numbers.push_back(field_number(schema, name, what));
  return numbers;
}

std::vector<std::vector<FieldValues>> field_values(const index::Index& index,
                                                   std::span<const std::size_t> fields,
                                                   std::span<const std::uint32_t> docids) {
  std::vector<std::vector<FieldValues>> values(docids.size(),
                                               std::vector<FieldValues>(fields.size()));
  const std::vector<std::size_t> order = ascending(docids);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f] >= index.schema().fields().size()) {
      throw UsageError(fmt::format("the index has no field {}", fields[f]));
    }
    std::optional<CodeCursor<std::uint64_t>> cursor;
    std::size_t segment = 0;
    for (const std::size_t i : order) {
      if (docids[i] >= index.statistics().documents) {
        throw UsageError(fmt::format("the index has no document {}", docids[i]));
      }
      while (segment + 1 < index.segments().size() && docids[i] >= index.docid_base(segment + 1)) {
        ++segment;
        cursor.reset();
      }
      const std::uint32_t document = docids[i] - index.docid_base(segment);
      if (const auto* const texts = index.segments()[segment]->field(fields[f]).texts()) {
        if (auto text = texts->text(document)) values[i][f].push_back(std::move(*text));
        continue;
      }
      if (!cursor) cursor.emplace(index.segments()[segment]->field(fields[f]));
      cursor->for_each(document, [&](std::uint64_t code) {
        values[i][f].push_back(text_of(cursor->column(), code));
      });
    }
  }
  return values;
}

}  // namespace gannet::query
