#include "query/cursor.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/files/checksum.hpp"
#include "query/scoring/base/scorer_spec.hpp"

namespace gannet::query {
namespace {

/// 32 bits of a checksum: whoever types a cursor makes mistakes and no attacks.
std::uint32_t digest(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(index::xxh3(bytes) >> 32);
}
std::uint32_t digest(std::string_view text) { return digest(std::as_bytes(std::span(text))); }

std::uint32_t digest_of_segments(const index::Index& index, std::size_t count) {
  std::vector<std::uint64_t> identities;
  for (std::size_t s = 0; s < count; ++s) identities.push_back(index.segments()[s]->identity());
  return digest(std::as_bytes(std::span(identities)));
}

/// What decides which documents match and how they are scored. Frequencies and sizes follow from
/// the segments.
std::uint32_t digest_of(const Plan& plan) {
  std::string text = to_string(plan.scorer());
  for (const PlanTerm& term : plan.terms()) {
    const auto weight = std::bit_cast<std::uint32_t>(term.weight);
    text += fmt::format("\n{} {} {} {}", term.field, weight, term.text.size(), term.text);
  }
  for (const QueryWord& word : plan.words()) {
    text += fmt::format("\nword {}", std::bit_cast<std::uint32_t>(word.weight));
    for (const WordTerm& term : word.terms) {
      text += fmt::format(" {} {}", term.term, std::bit_cast<std::uint32_t>(term.weight));
    }
  }
  for (const Node& node : plan.expression()) {
    text += fmt::format("\n{} {}", static_cast<int>(node.kind), node.operand);
  }
  for (const Filter& predicate : plan.predicates()) text += "\n" + to_string(predicate);
  return digest(text + "\n" + to_string(plan.filter().without_live()));
}

std::uint32_t digest_of(std::span<const SortKey> sort) {
  std::string text;
  for (const SortKey& key : sort) {
    text += fmt::format("{} {:d} {:d}\n", key.field, key.descending, key.missing_first);
  }
  return digest(text);
}

/// The cursor's numbers and a check digit of 32 bits, in the order of the text.
using Words = std::array<std::uint32_t, 8>;

Words words_of(const Cursor& cursor) {
  Words words{cursor.last.docid, std::bit_cast<std::uint32_t>(cursor.last.score),
              cursor.rank,       cursor.segments,
              cursor.documents,  cursor.query,
              cursor.order,      0};
  words.back() = digest(std::as_bytes(std::span(words)));
  return words;
}

constexpr std::size_t kDigits = 16;  ///< of two words

}  // namespace

Cursor make_cursor(const index::Index& index, const Plan& plan, std::span<const SortKey> sort,
                   const Hit& last, std::uint32_t rank) {
  const std::size_t segments = index.segments().size();
  return {last,
          rank,
          static_cast<std::uint32_t>(segments),
          digest_of_segments(index, segments),
          digest_of(plan),
          digest_of(sort)};
}

std::string to_string(const Cursor& cursor) {
  const Words words = words_of(cursor);
  std::string text;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    text += index::to_hex(std::uint64_t{words[i]} << 32 | words[i + 1]);
  }
  return text;
}

Cursor parse_cursor(std::string_view text) {
  Words words{};
  bool sound = text.size() == words.size() / 2 * kDigits;
  for (std::size_t i = 0; sound && i < words.size(); i += 2) {
    const auto pair = index::from_hex(text.substr(i / 2 * kDigits, kDigits));
    sound = pair.has_value();
    if (!sound) break;
    words[i] = static_cast<std::uint32_t>(*pair >> 32);
    words[i + 1] = static_cast<std::uint32_t>(*pair);
  }
  const Cursor cursor{
      {words[0], std::bit_cast<float>(words[1])}, words[2], words[3], words[4], words[5], words[6]};
  if (sound && words_of(cursor) == words) return cursor;
  throw UsageError(
      "this is no cursor, or not all of it: a cursor is the text of 64 digits that a search gives "
      "as 'next'");
}

index::Index index_at(const Cursor& cursor, const index::Index& index) {
  const std::size_t now = index.segments().size();
  if (cursor.segments > now || digest_of_segments(index, cursor.segments) != cursor.documents) {
    throw UsageError(
        "the cursor is of another index, or of a state of this one before segments were merged or "
        "written anew, which numbers documents anew; start again from the first page");
  }
  return cursor.segments == now ? index : index.part(0, cursor.segments);
}

void check_cursor(const Cursor& cursor, const Plan& plan, std::span<const SortKey> sort) {
  if (cursor.order != digest_of(sort)) {
    throw UsageError(
        "the cursor is of hits in another order; give the sort of its page, or start again from "
        "the first page");
  }
  if (cursor.query != digest_of(plan)) {
    throw UsageError(
        "the cursor is of another query; words, mode, searched fields, filter, scorer and "
        "expansion "
        "must be those of its page, only the number of hits may change; or start again from the "
        "first page");
  }
}

}  // namespace gannet::query
