// The discounts of nDCG. They are computed with additions, multiplications and divisions only, so
// that their bits do not depend on the host's mathematical library.
#pragma once

#include <cstddef>
#include <vector>

namespace gannet::corpora {

/// Element r - 1 is log2(r + 1) for rank r = 1 .. `count`, rounded to the nearest double. O(count).
/// Thread-safe.
std::vector<double> rank_discounts(std::size_t count);

}  // namespace gannet::corpora
