#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"
#include "corpora/synthetic/synthetic.hpp"

namespace gannet::corpora {
namespace {

constexpr std::uint64_t kFewIds = 32;
constexpr std::uint64_t kClusterLeaf = 10;  // shorter pieces are not clustered any further

/// Fills spans with sorted samples without repetition, reusing its bitmap.
class ListSampler {
 public:
  explicit ListSampler(std::uint64_t seed) : random_(seed) {}

  /// out = a uniformly drawn set of out.size() ids in [first, first + universe), ascending.
  void uniform(std::span<std::uint32_t> out, std::uint32_t first, std::uint64_t universe) {
    const std::uint64_t count = out.size();
    if (count == universe) {
      std::iota(out.begin(), out.end(), first);
    } else if (count <= kFewIds && count * 2 <= universe) {
      draw_few(out, universe);
      for (std::uint32_t& id : out) id += first;
    } else if (universe / 256 > count) {
      draw_sparse(out, universe);
      for (std::uint32_t& id : out) id += first;
    } else {
      draw_dense(out, first, universe);
    }
  }

  /// Anh and Moffat's clustered model: the list is halved and the universe cut at a random place
  /// that leaves room for both halves; either half, or both, are clustered in their turn.
  void clustered(std::span<std::uint32_t> out, std::uint32_t first, std::uint64_t universe) {
    const std::uint64_t count = out.size();
    if (count < kClusterLeaf || count == universe) return uniform(out, first, universe);
    const std::uint64_t left = count / 2;
    const std::uint64_t cut = left + random_.below(universe - count + 1);
    const std::uint64_t choice = random_.below(4);
    const auto middle = static_cast<std::uint32_t>(first + cut);
    fill(choice == 0, out.first(left), first, cut);
    fill(choice == 1, out.subspan(left), middle, universe - cut);
  }

 private:
  void fill(bool as_uniform, std::span<std::uint32_t> out, std::uint32_t first,
            std::uint64_t universe) {
    as_uniform ? uniform(out, first, universe) : clustered(out, first, universe);
  }

  // Insertion into a sorted prefix; a repeated id is drawn again.
  void draw_few(std::span<std::uint32_t> out, std::uint64_t universe) {
    for (std::size_t filled = 0; filled < out.size();) {
      const std::uint32_t id = random_.below(universe);
      const auto end = out.begin() + static_cast<std::ptrdiff_t>(filled);
      const auto place = std::lower_bound(out.begin(), end, id);
      if (place != end && *place == id) continue;
      std::copy_backward(place, end, end + 1);
      *place = id;
      ++filled;
    }
  }

  // Draws as many as are missing, sorts, drops repetitions, until none is missing. As no round
  // draws more than are missing, every set stays equally likely.
  void draw_sparse(std::span<std::uint32_t> out, std::uint64_t universe) {
    auto end = out.begin();
    while (end != out.end()) {
      std::generate(end, out.end(), [&] { return random_.below(universe); });
      std::sort(out.begin(), out.end());
      end = std::unique(out.begin(), out.end());
    }
  }

  // Marks ids in a bitmap: those of the list, or those that are not in it where these are fewer.
  void draw_dense(std::span<std::uint32_t> out, std::uint32_t first, std::uint64_t universe) {
    const bool inverse = out.size() > universe / 2;
    mark(inverse ? universe - out.size() : out.size(), universe);
    auto place = out.begin();
    for (std::uint64_t w = 0; w < bitmap_.size(); ++w) {
      std::uint64_t bits = inverse ? ~bitmap_[w] : bitmap_[w];
      if (64 * w + 64 > universe && universe % 64 != 0) bits &= (1ull << universe % 64) - 1;
      for (; bits != 0; bits &= bits - 1) {
        *place++ = static_cast<std::uint32_t>(first + 64 * w) +
                   static_cast<std::uint32_t>(std::countr_zero(bits));
      }
    }
  }

  void mark(std::uint64_t count, std::uint64_t universe) {
    bitmap_.assign((universe + 63) / 64, 0);
    while (count > 0) {
      const std::uint32_t id = random_.below(universe);
      std::uint64_t& word = bitmap_[id / 64];
      const std::uint64_t bit = 1ull << id % 64;
      count -= (word & bit) == 0 ? 1 : 0;
      word |= bit;
    }
  }

  Random random_;
  std::vector<std::uint64_t> bitmap_;
};

}  // namespace

ListModel list_model(std::string_view name) {
  if (name == "uniform") return ListModel::kUniform;
  if (name == "clustered") return ListModel::kClustered;
  throw UsageError("unknown list model '" + std::string(name) +
                   "'; it is one of uniform, clustered");
}

std::vector<std::uint32_t> synthetic_list(ListModel model, std::uint64_t count,
                                          std::uint64_t universe, std::uint64_t seed) {
  if (universe > (1ull << 32) || count > universe) {
    throw UsageError("cannot draw " + std::to_string(count) + " distinct ids below " +
                     std::to_string(universe) +
                     ": the universe must hold them and be at most 2^32");
  }
  std::vector<std::uint32_t> ids(count);
  ListSampler sampler(seed);
  if (model == ListModel::kUniform) {
    sampler.uniform(ids, 0, universe);
  } else {
    sampler.clustered(ids, 0, universe);
  }
  return ids;
}

}  // namespace gannet::corpora
