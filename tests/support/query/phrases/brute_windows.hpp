// Occurrences of windows, from their definition: all choices of a place for each word are tried.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "query/phrases/window_shape.hpp"

namespace gannet::test {

/// words[i]: the places of word i.
class BruteWindows {
 public:
  BruteWindows(const query::WindowShape& shape,
               const std::vector<std::vector<std::uint32_t>>& words)
      : shape_(shape), words_(words) {
    choose();
  }

  /// The number of different places where an occurrence begins.
  std::uint32_t count() const { return static_cast<std::uint32_t>(begins_.size()); }
  /// Those that a word of an occurrence has.
  const std::set<std::uint32_t>& places() const { return places_; }
  /// Of each place where an occurrence begins, in their order: the least place of a word there.
  std::vector<std::uint32_t> firsts() const {
    std::vector<std::uint32_t> all;
    for (const auto& [begin, first] : begins_) all.push_back(first);
    return all;
  }

 private:
  void choose() {
    if (chosen_.size() == words_.size()) return take();
    for (const std::uint32_t place : words_[chosen_.size()]) {
      if (std::find(chosen_.begin(), chosen_.end(), place) != chosen_.end()) continue;
      chosen_.push_back(place);
      choose();
      chosen_.pop_back();
    }
  }

  void take() {
    std::vector<std::int64_t> moved;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      moved.push_back(std::int64_t{chosen_[i]} - shape_.places[i]);
    }
    const auto [least, most] = std::minmax_element(moved.begin(), moved.end());
    bool ordered = true;
    bool near = true;
    for (std::size_t i = 0; i + 1 < chosen_.size(); ++i) {
      const std::int64_t gap = std::int64_t{chosen_[i + 1]} - chosen_[i];
      const std::int64_t step = std::int64_t{shape_.places[i + 1]} - shape_.places[i];
      ordered = ordered && gap >= step;
      near = near && gap <= step * shape_.distance;
    }
    switch (shape_.kind) {
      case query::WindowKind::kNear:
        if (*most - *least <= shape_.distance) begin(*least);
        return;
      case query::WindowKind::kGaps:
        if (ordered && near) begin(chosen_.front());
        return;
      case query::WindowKind::kOrdered:
        if (ordered && chosen_.back() - chosen_.front() <= shape_.distance) begin(chosen_.front());
    }
  }

  void begin(std::int64_t place) {
    places_.insert(chosen_.begin(), chosen_.end());
    const std::uint32_t least = *std::min_element(chosen_.begin(), chosen_.end());
    const auto [entry, is_new] = begins_.emplace(place, least);
    if (!is_new) entry->second = std::min(entry->second, least);
  }

  const query::WindowShape& shape_;
  const std::vector<std::vector<std::uint32_t>>& words_;
  std::vector<std::uint32_t> chosen_;
  std::map<std::int64_t, std::uint32_t> begins_;  ///< with the least place of a word
  std::set<std::uint32_t> places_;
};

}  // namespace gannet::test
