// OR and AND of WAH vectors, run by run on the atoms, and of many vectors in plain groups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "codecs/wah/wah.hpp"

namespace gannet::wah {

/// Combines two validated vectors of the same number of groups: `op` of every two groups, a run at
/// a time. A vector's result is compressed again. op(zeros or ones, zeros or ones) must be zeros or
/// ones.
template <class Word, class Op>
std::vector<Word> combine(std::span<const Word> a, std::span<const Word> b, Op op) {
  std::vector<Word> atoms;
  codecs::WahWriter<Word> writer(atoms);
  codecs::WahRuns<Word> left(a);
  codecs::WahRuns<Word> right(b);
  while (!left.done() && !right.done()) {
    const std::uint64_t groups = std::min(left.left(), right.left());
    const Word both = op(left.group(), right.group());
    if (groups == 1) {
      writer.group(both);
    } else {
      writer.run(both != 0, groups);
    }
    left.skip(groups);
    right.skip(groups);
  }
  writer.flush();
  return atoms;
}

/// a OR b.
template <class Word>
std::vector<Word> either(std::span<const Word> a, std::span<const Word> b) {
  return combine(a, b, [](Word x, Word y) { return static_cast<Word>(x | y); });
}

/// a AND b.
template <class Word>
std::vector<Word> both(std::span<const Word> a, std::span<const Word> b) {
  return combine(a, b, [](Word x, Word y) { return static_cast<Word>(x & y); });
}

/// a AND NOT b.
template <class Word>
std::vector<Word> without(std::span<const Word> a, std::span<const Word> b) {
  return combine(a, b, [](Word x, Word y) { return static_cast<Word>(x & ~y); });
}

/// A vector of `groups` groups, all zeros.
template <class Word>
std::vector<Word> no_rows(std::uint64_t groups) {
  std::vector<Word> atoms;
  codecs::WahWriter<Word> writer(atoms);
  writer.run(false, groups);
  writer.flush();
  return atoms;
}

/// The OR of any number of vectors of `groups` groups: always the two shortest first.
template <class Word>
std::vector<Word> any_of(std::span<const std::span<const Word>> vectors, std::uint64_t groups) {
  using Entry = std::pair<std::size_t, std::size_t>;  // atoms, place
  std::vector<std::vector<Word>> made;
  std::vector<std::span<const Word>> all(vectors.begin(), vectors.end());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> shortest;
  for (std::size_t i = 0; i < all.size(); ++i) shortest.push({all[i].size(), i});
  if (all.empty()) return no_rows<Word>(groups);
  made.reserve(all.size());
  while (shortest.size() > 1) {
    const std::size_t a = shortest.top().second;
    shortest.pop();
    const std::size_t b = shortest.top().second;
    shortest.pop();
    made.push_back(either(all[a], all[b]));
    all.push_back(made.back());
    shortest.push({made.back().size(), all.size() - 1});
  }
  const auto result = all[shortest.top().second];
  return {result.begin(), result.end()};
}

/// ORs a vector into plain groups (at least as many as it has): what it costs is its atoms, not its
/// groups, as long as they are literals and zeros.
template <class Word>
void or_into(std::span<const Word> atoms, std::span<Word> groups) {
  using Atom = codecs::WahAtom<Word>;
  std::size_t at = 0;
  for (const Word atom : atoms) {
    if (!Atom::is_fill(atom)) {
      groups[at++] |= atom;
      continue;
    }
    const auto length = static_cast<std::size_t>(Atom::length(atom));
    if (Atom::is_ones(atom)) {
      std::fill_n(groups.begin() + static_cast<std::ptrdiff_t>(at), length, Atom::kFull);
    }
    at += length;
  }
}

}  // namespace gannet::wah
