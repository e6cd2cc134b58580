#include "index/lexicon/term_order.hpp"

#include <tbb/parallel_sort.h>

#include "codecs/base/cancellation.hpp"

namespace gannet::index {

void sort_by_term(std::vector<TermSortKey>& keys,
                  const std::function<std::string_view(std::uint32_t)>& term_of,
                  const std::stop_token& stop) {
  tbb::parallel_sort(keys.begin(), keys.end(), [&](const TermSortKey& a, const TermSortKey& b) {
    throw_if_stopped(stop);
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return term_of(a.number) < term_of(b.number);
  });
}

}  // namespace gannet::index
