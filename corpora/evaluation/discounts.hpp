// The discounts of nDCG, made of additions, multiplications and divisions only: the same bits on
// every host, whatever its mathematical library.
#pragma once

#include <cstddef>
#include <vector>

namespace gannet::corpora {

/// log2(rank + 1) of the ranks 1 .. `count`, each the double that is nearest to it.
std::vector<double> rank_discounts(std::size_t count);

}  // namespace gannet::corpora
