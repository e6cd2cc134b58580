#include "tests/tree/layers.hpp"

#include <algorithm>
#include <array>

namespace gannet::test {
namespace {

struct Layer {
  std::string_view prefix;
  int floor;
};

/// The longest prefix counts. A file includes what lies below it, and its own part; parts on one
/// floor do not know each other.
constexpr std::array kLayers{
    Layer{"codecs/base/", 0},     Layer{"codecs/core/", 2},    Layer{"codecs/streams/", 3},
    Layer{"codecs/columns/", 4},  Layer{"codecs/deflate/", 4}, Layer{"codecs/gpu_rfor/", 4},
    Layer{"codecs/lists/", 4},    Layer{"codecs/orc/", 4},     Layer{"codecs/wah/", 4},
    Layer{"codecs/cascaded/", 5}, Layer{"codecs/", 6},         Layer{"codecs/base/cuda/", 7},
    Layer{"codecs/device/", 8},   Layer{"index/", 20},         Layer{"corpora/", 40},
    Layer{"query/", 40},          Layer{"tools/", 60},
};
/// What is built of the tree, and not part of it: these see everything, and nothing sees them.
constexpr std::array<std::string_view, 2> kOutside{"bench/", "tests/"};

const Layer* layer_of(std::string_view path) {
  const Layer* best = nullptr;
  for (const Layer& layer : kLayers) {
    if (!path.starts_with(layer.prefix)) continue;
    if (best == nullptr || layer.prefix.size() > best->prefix.size()) best = &layer;
  }
  return best;
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
  const Layer* const from = layer_of(file);
  const Layer* const to = layer_of(included);
  if (from == nullptr) return std::string(file) + " is in no layer of tests/tree/layers.cpp";
  if (to == nullptr) return arrow + "this is no path from the root of the tree";
  if (to->floor < from->floor || to->prefix == from->prefix) return std::nullopt;
  return arrow + std::string(to->prefix) +
         (to->floor > from->floor ? " lies above " : " lies beside ") + std::string(from->prefix);
}

std::string_view layer_prefix(std::string_view file) {
  const Layer* const layer = layer_of(file);
  return layer == nullptr ? std::string_view() : layer->prefix;
}

std::vector<std::string> quoted_includes(std::string_view text) { return includes(text, '"', '"'); }

std::vector<std::string> angled_includes(std::string_view text) { return includes(text, '<', '>'); }

}  // namespace gannet::test
