#include "query/gpu/plan/columns/code_bins.hpp"

#include <cstddef>

namespace gannet::query::cuda {
namespace {

/// The first code of a column whose key is not below `key`.
std::uint64_t first_code(const index::KeyMap& keys, std::uint64_t key) {
  if (key <= keys.base) return 0;
  const std::uint64_t above = key - keys.base;
  return above / keys.unit + (above % keys.unit == 0 ? 0 : 1);
}

}  // namespace

CodeBins CodeBins::of(const BinsWanted& wanted, const index::FieldColumn& column) {
  CodeBins bins;
  if (column.code_limit() == 0) return bins;
  for (std::size_t i = 0; i < wanted.first_keys.size(); ++i) {
    const std::uint64_t code = first_code(column.keys(), wanted.first_keys[i]);
    if (code >= column.code_limit()) break;
    if (code == 0) {  // bins before it are empty here
      bins.first = i;
      bins.firsts.clear();
    }
    bins.firsts.push_back(static_cast<std::uint32_t>(code));
  }
  return bins;
}

}  // namespace gannet::query::cuda
