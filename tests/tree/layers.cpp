#include "tests/tree/layers.hpp"

#include <algorithm>
#include <array>

namespace gannet::test {
namespace {

struct Layer {
  std::string_view prefix;
  int floor;
};

/// The top folders. A file includes those on floors below its own; corpora and query do not know
/// each other.
constexpr std::array kTopFolders{Layer{"codecs/", 0}, Layer{"index/", 1}, Layer{"corpora/", 2},
                                 Layer{"query/", 2}, Layer{"tools/", 3}};

/// The folders within each top folder. The longest prefix counts. A file includes files of its own
/// folder and of folders on lower floors; folders on one floor do not know each other.
// clang-format off
constexpr std::array kLayers{
    Layer{"codecs/base/", 0},
    Layer{"codecs/base/cuda/", 5},
    Layer{"codecs/base/threads/", 1},
    Layer{"codecs/core/", 1},
    Layer{"codecs/wah/", 2},
    Layer{"codecs/gpu_rfor/", 2},
    Layer{"codecs/lists/", 2},
    Layer{"codecs/positions/", 2},
    Layer{"codecs/columns/", 2},
    Layer{"codecs/streams/", 2},
    Layer{"codecs/orc/", 3},
    Layer{"codecs/deflate/", 3},
    Layer{"codecs/cascaded/", 3},
    Layer{"codecs/", 4},
    Layer{"codecs/device/detail/", 6},
    Layer{"codecs/device/", 7},
    Layer{"codecs/device/decode/", 8},
    Layer{"codecs/device/encode/", 8},
    Layer{"index/files/", 0},
    Layer{"index/work/", 0},
    Layer{"index/text/words/", 0},
    Layer{"index/text/", 1},
    Layer{"index/files/container/", 1},
    Layer{"index/columns/", 1},
    Layer{"index/columns/file/", 2},
    Layer{"index/fields/types/base/", 2},
    Layer{"index/fields/types/", 3},
    Layer{"index/fields/", 4},
    Layer{"index/segment/", 5},
    Layer{"index/manifest/", 6},
    Layer{"index/positions/", 6},
    Layer{"index/lexicon/", 6},
    Layer{"index/lists/", 7},
    Layer{"index/fields/build/", 7},
    Layer{"index/documents/", 7},
    Layer{"index/", 8},
    Layer{"index/fields/reading/", 8},
    Layer{"index/reading/", 9},
    Layer{"index/shards/", 10},
    Layer{"index/commit/", 11},
    Layer{"index/inversion/", 12},
    Layer{"index/updates/merge/", 13},
    Layer{"index/updates/", 14},
    Layer{"index/order/", 14},
    Layer{"index/split/", 14},
    Layer{"index/updates/writer/", 15},
    Layer{"index/order/bisection/", 15},
    Layer{"index/order/keys/", 15},
    Layer{"index/repair/", 15},
    Layer{"index/order/apply/", 16},
    Layer{"corpora/markup/", 0},
    Layer{"corpora/markup/encoding/", 0},
    Layer{"corpora/documents/files/", 0},
    Layer{"corpora/markup/html/", 1},
    Layer{"corpora/documents/bytes/", 1},
    Layer{"corpora/documents/", 1},
    Layer{"corpora/markup/wiki/", 2},
    Layer{"corpora/documents/sources/", 2},
    Layer{"corpora/evaluation/", 3},
    Layer{"corpora/lists/", 3},
    Layer{"corpora/documents/tables/", 3},
    Layer{"corpora/documents/web/", 3},
    Layer{"corpora/lists/ciff/", 4},
    Layer{"corpora/documents/wiki/", 4},
    Layer{"corpora/documents/trec/", 4},
    Layer{"corpora/topics/", 5},
    Layer{"corpora/synthetic/", 6},
    Layer{"query/phrases/", 0},
    Layer{"query/postings/", 1},
    Layer{"query/inexact/", 0},
    Layer{"query/scoring/base/", 0},
    Layer{"query/memory/", 0},
    Layer{"query/options/reading/", 0},
    Layer{"query/options/", 1},
    Layer{"query/scoring/scorers/", 1},
    Layer{"query/scoring/", 2},
    Layer{"query/plan/", 3},
    Layer{"query/plan/making/", 4},
    Layer{"query/filter/", 4},
    Layer{"query/results/", 5},
    Layer{"query/bounds/", 6},
    Layer{"query/backend/", 6},
    Layer{"query/gpu/plan/", 6},
    Layer{"query/texts/", 6},
    Layer{"query/snippets/parts/", 6},
    Layer{"query/snippets/", 7},
    Layer{"query/multi_gpu/", 7},
    Layer{"query/columns/", 7},
    Layer{"query/cpu/", 7},
    Layer{"query/gpu/plan/pruned/", 7},
    Layer{"query/gpu/plan/columns/", 7},
    Layer{"query/gpu/plan/matching/", 7},
    Layer{"query/gpu/plan/ranked/", 8},
    Layer{"query/gpu/device/kernels/", 7},
    Layer{"query/gpu/device/memory/", 7},
    Layer{"query/language/", 7},
    Layer{"query/language/planning/", 8},
    Layer{"query/expansion/", 7},
    Layer{"query/columns/access/", 8},
    Layer{"query/cpu/matching/", 8},
    Layer{"query/cpu/pruned/", 8},
    Layer{"query/gpu/device/kernels/pruned/", 8},
    Layer{"query/gpu/device/kernels/matching/", 8},
    Layer{"query/gpu/device/kernels/ranked/", 9},
    Layer{"query/gpu/device/index/", 8},
    Layer{"query/", 9},
    Layer{"query/columns/sorting/", 9},
    Layer{"query/columns/counting/", 9},
    Layer{"query/cpu/backend/", 9},
    Layer{"query/gpu/device/columns/", 9},
    Layer{"query/searching/", 10},
    Layer{"query/explaining/", 10},
    Layer{"query/columns/run/", 10},
    Layer{"query/gpu/device/kernels/columns/", 10},
    Layer{"query/gpu/device/list_stats/", 10},
    Layer{"query/gpu/device/matches/", 10},
    Layer{"query/gpu/device/unions/", 11},
    Layer{"query/gpu/device/run/", 12},
    Layer{"query/gpu/device/matching/", 12},
    Layer{"query/gpu/device/ranked/", 13},
    Layer{"query/gpu/device/", 14},
    Layer{"tools/terminal/", 0},
    Layer{"tools/measure/device/", 0},
    Layer{"tools/options/table/", 0},
    Layer{"tools/options/", 1},
    Layer{"tools/building/", 2},
    Layer{"tools/demo/", 2},
    Layer{"tools/reference/", 2},
    Layer{"tools/measure/", 2},
    Layer{"tools/building/resume/", 3},
    Layer{"tools/output/", 3},
    Layer{"tools/search/", 4},
    Layer{"tools/python/", 4},
    Layer{"tools/python/arrays/", 5},
    Layer{"tools/python/arrow/", 5},
    Layer{"tools/python/evaluation/", 5},
    Layer{"tools/python/upkeep/", 5},
    Layer{"tools/python/gpu/", 5},
    Layer{"tools/python/shards/", 5},
    Layer{"tools/python/words/", 5},
    Layer{"tools/python/gpu/device/", 6},
    Layer{"tools/commands/", 5},
    Layer{"tools/mpi/", 6},
    Layer{"tools/commands/fields/", 6},
    Layer{"tools/commands/bench/", 6},
    Layer{"tools/commands/help/", 6},
    Layer{"tools/", 7},
    Layer{"tools/cmake/", 0},
    Layer{"tools/examples/", 7},
};
// clang-format on
/// What is built of the tree, and not part of it: these see everything, and nothing sees them.
constexpr std::array<std::string_view, 2> kOutside{"bench/", "tests/"};

template <std::size_t kLayerCount>
const Layer* find(const std::array<Layer, kLayerCount>& layers, std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : layers) {
    if (!path.starts_with(layer.prefix)) continue;
    if (best == nullptr || layer.prefix.size() > best->prefix.size()) best = &layer;
  }
  return best;
}

/// A sentence if a file below `from` must not include one below `to`.
std::optional<std::string> problem(const std::string& arrow, const Layer& from, const Layer& to) {
  if (to.floor < from.floor || to.prefix == from.prefix) return std::nullopt;
  return arrow + std::string(to.prefix) +
         (to.floor > from.floor ? " lies above " : " lies beside ") + std::string(from.prefix);
}

bool is_outside(std::string_view path) {
  return std::any_of(kOutside.begin(), kOutside.end(),
                     [&](std::string_view prefix) { return path.starts_with(prefix); });
}

std::vector<std::string> includes(std::string_view text, char open, char close) {
  std::vector<std::string> found;
  constexpr std::string_view kInclude = "#include ";
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || !line.substr(hash).starts_with(kInclude)) continue;
    const std::string_view rest = line.substr(hash + kInclude.size());
    if (!rest.starts_with(open)) continue;
    found.emplace_back(rest.substr(1, rest.find(close, 1) - 1));
  }
  return found;
}

}  // namespace

std::optional<std::string> layer_problem(std::string_view file, std::string_view included) {
  const std::string arrow = std::string(file) + " includes \"" + std::string(included) + "\": ";
  if (is_outside(file)) return std::nullopt;
  if (is_outside(included)) {
    return arrow + "bench and tests are built of the tree, nothing in it may need them";
  }
  const Layer* const from = find(kTopFolders, file);
  const Layer* const to = find(kTopFolders, included);
  if (from == nullptr) return std::string(file) + " is in no layer of tests/tree/layers.cpp";
  if (to == nullptr) return arrow + "this is no path from the root of the tree";
  if (from != to) return problem(arrow, *from, *to);
  return problem(arrow, *find(kLayers, file), *find(kLayers, included));
}

std::string_view layer_prefix(std::string_view file) {
  const Layer* const layer = find(kLayers, file);
  return layer == nullptr ? std::string_view() : layer->prefix;
}

std::vector<std::string> quoted_includes(std::string_view text) { return includes(text, '"', '"'); }

std::vector<std::string> angled_includes(std::string_view text) { return includes(text, '<', '>'); }

}  // namespace gannet::test
