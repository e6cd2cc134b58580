#include "query/cpu/matching/bitmap_search.hpp"

#include <algorithm>
#include <array>

#include "codecs/base/cancellation.hpp"

namespace gannet::query {
namespace {

/// Words of a window: its rows stay in the nearest cache.
constexpr std::uint32_t kMaxWindow = 1024;
constexpr std::uint32_t kMinWindow = 64;
/// Words of all rows of a window together.
constexpr std::uint32_t kWindowWords = 8192;
/// Postings that a window is worth, where windows without any are skipped.
constexpr std::uint64_t kPostingsPerWindow = 256;
/// Words that a formula is evaluated for at a time: its operands stay in the nearest cache.
constexpr std::uint32_t kBlock = 256;

constexpr std::array<std::uint64_t, kMaxWindow> kNothing{};

/// An operand of the expression: words of the whole segment, or a row of the window.
struct Operand {
  const std::uint64_t* words;
  std::uint32_t row;  ///< only if `words` is null
};

/// What an expression is made of.
enum class Shape { kAny, kAll, kFormula };

Shape shape_of(const Plan& plan) {
  const auto has = [&](Node::Kind kind) {
    return std::ranges::any_of(plan.expression(), [&](Node node) { return node.kind == kind; });
  };
  if (has(Node::Kind::kNot)) return Shape::kFormula;
  if (!has(Node::Kind::kAnd)) return Shape::kAny;
  return has(Node::Kind::kOr) ? Shape::kFormula : Shape::kAll;
}

class BitmapSearch {
 public:
  BitmapSearch(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids,
               const KeptLists& kept, const PlanBitmaps& bitmaps, const WordKernels& kernels,
               BitmapWorkspace& memory, Collector& collector)
      : segment_(segment),
        plan_(plan),
        bitmaps_(bitmaps),
        kernels_(kernels),
        memory_(memory),
        collector_(collector),
        shape_(shape_of(plan)),
        dense_(plan.matches_absent()),
        row_of_(ids.size(), kNoRow) {
    memory_.lists.clear();
    for (const Node& node : plan.expression()) {
      if (node.kind == Node::Kind::kTerm) add_term(node.operand, ids[node.operand], kept);
      if (node.kind == Node::Kind::kPredicate) add({bitmaps.predicates(node.operand), 0});
      if (node.kind == Node::Kind::kNever) add({kNothing.data(), 0});
    }
    if (operands_.empty()) add({kNothing.data(), 0});
    choose_window();
  }

  void run(DocidRange range, const std::stop_token& stop) {
    for (WindowList& list : memory_.lists) list.stream.seek(range.begin);
    for (std::uint64_t begin = next_window(range.begin, range.end); begin < range.end;
         begin = next_window(begin + std::uint64_t{window_} * 64, range.end)) {
      throw_if_stopped(stop);
      const std::uint64_t end =
          std::min<std::uint64_t>(begin + std::uint64_t{window_} * 64, range.end);
      search(static_cast<index::Docid>(begin), static_cast<index::Docid>(end));
    }
    for (const WindowList& list : memory_.lists) {
      collector_.tiles_decoded += list.stream.tiles_decoded();
    }
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;

  void add(Operand operand) { operands_.push_back(operand); }

  void add_term(std::uint32_t term, index::TermId id, const KeptLists& kept) {
    if (id == kNoTerm) {
      if (shape_ != Shape::kAny) add({kNothing.data(), 0});
      return;
    }
    if (const std::uint64_t* const words = kept.find(id)) {
      dense_ = true;
      return add({words, 0});
    }
    if (row_of_[term] == kNoRow) {
      const bool first = rows_ == 0;
      // The lists of an OR need one row for all of them.
      const bool own = first || shape_ != Shape::kAny;
      row_of_[term] = own ? rows_++ : 0;
      memory_.lists.push_back({PostingStream(segment_, id), row_of_[term]});
      postings_ += memory_.lists.back().stream.count();
      if (!own) return;
    }
    add({nullptr, row_of_[term]});
  }

  void choose_window() {
    window_ = std::clamp(kWindowWords / std::max(rows_, 1u), kMinWindow, kMaxWindow);
    if (!dense_ && postings_ > 0) {
      const std::uint64_t words = segment_.statistics().documents / 64;
      const std::uint64_t worth = words * kPostingsPerWindow / postings_;
      window_ = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(worth, kMinWindow, window_));
    }
    const std::size_t words = std::size_t{rows_} * window_;
    if (memory_.rows.size() < words) memory_.rows.resize(words);
    const std::size_t results =
        shape_ == Shape::kFormula ? std::size_t{kBlock} * (kMaxStack + 1) : kMaxWindow;
    if (memory_.results.size() < results) memory_.results.resize(results);
  }

  /// The first document, from `begin` on and a multiple of 64, where a window can have a match.
  std::uint64_t next_window(std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      if (!dense_) begin = std::max(begin, next_posting() / 64 * 64);
      if (!bitmaps_.has_words()) return begin;
      const std::uint64_t passing = bitmaps_.next(begin, end);
      if (passing >= end) return end;
      if (passing / 64 * 64 <= begin) return begin;
      begin = passing / 64 * 64;
      for (WindowList& list : memory_.lists) list.stream.seek(static_cast<index::Docid>(begin));
      if (dense_) return begin;
    }
    return end;
  }

  std::uint64_t next_posting() {
    std::uint64_t next = ~std::uint64_t{0};
    for (WindowList& list : memory_.lists) {
      if (!list.stream.at_end()) next = std::min<std::uint64_t>(next, list.stream.docid());
    }
    return next;
  }

  void search(index::Docid begin, index::Docid end) {
    for (WindowList& list : memory_.lists) {
      std::uint64_t* const row = memory_.rows.data() + std::size_t{list.row} * window_;
      list.stream.take_until(end, [&](const index::Docid* docids, std::uint32_t n, std::uint32_t) {
        set_bits(docids, n, begin, row);
      });
    }
    const std::uint32_t words = (end - begin + 63) / 64;
    const std::uint32_t step = shape_ == Shape::kFormula ? kBlock : words;
    for (std::uint32_t i = 0; i < words; i += step) {
      collect(begin / 64, i, std::min(step, words - i));
    }
    for (std::uint32_t row = 0; row < rows_; ++row) {
      std::fill_n(memory_.rows.begin() + std::ptrdiff_t{row} * window_, words, 0);
    }
  }

  /// Words `offset` .. offset + words - 1 of the window that begins with word `first`.
  void collect(std::uint32_t first, std::uint32_t offset, std::uint32_t words) {
    const std::uint64_t* matches =
        shape_ == Shape::kFormula ? evaluate(first, offset, words) : join(first, offset, words);
    if (bitmaps_.has_words() && shape_ != Shape::kAll) {
      matches = both(matches, bitmaps_.words() + first + offset, words, memory_.results.data());
    } else if (bitmaps_.on_candidates()) {
      matches = passing(matches, first + offset, words, memory_.results.data());
    }
    if (collector_.want == Want::kCount) {
      collector_.count += kernels_.count(matches, words);
      return;
    }
    for (std::uint32_t i = 0; i < words; ++i) {
      if (matches[i] != 0) collector_.add_matches((first + offset + i) * 64, matches[i]);
    }
  }

  const std::uint64_t* at(Operand operand, std::uint32_t first, std::uint32_t offset) const {
    if (operand.words == kNothing.data()) return kNothing.data();
    if (operand.words != nullptr) return operand.words + first + offset;
    return memory_.rows.data() + std::size_t{operand.row} * window_ + offset;
  }

  /// Of a plain OR or AND.
  const std::uint64_t* join(std::uint32_t first, std::uint32_t offset, std::uint32_t words) {
    memory_.operands.clear();
    for (const Operand operand : operands_) memory_.operands.push_back(at(operand, first, offset));
    if (bitmaps_.has_words() && shape_ == Shape::kAll) {
      memory_.operands.push_back(bitmaps_.words() + first + offset);
    }
    if (memory_.operands.size() == 1) return memory_.operands.front();
    const auto operation = shape_ == Shape::kAny ? kernels_.any : kernels_.all;
    operation(memory_.operands, words, memory_.results.data());
    return memory_.results.data();
  }

  /// Of any expression: each place of the stack has memory for a result.
  const std::uint64_t* evaluate(std::uint32_t first, std::uint32_t offset, std::uint32_t words) {
    std::array<const std::uint64_t*, kMaxStack> stack;
    std::size_t size = 0;
    std::size_t operand = 0;
    for (const Node& node : plan_.expression()) {
      switch (node.kind) {
        case Node::Kind::kTerm:
        case Node::Kind::kPredicate:
        case Node::Kind::kNever:
          stack[size++] = at(operands_[operand++], first, offset);
          break;
        case Node::Kind::kAnd:
        case Node::Kind::kOr: {
          const std::array rows{stack[size - 2], stack[size - 1]};
          std::uint64_t* const result = result_at(--size);
          (node.kind == Node::Kind::kAnd ? kernels_.all : kernels_.any)(rows, words, result);
          stack[size - 1] = result;
          break;
        }
        case Node::Kind::kNot: {
          std::uint64_t* const result = result_at(size);
          for (std::uint32_t i = 0; i < words; ++i) result[i] = ~stack[size - 1][i];
          clear_behind_end(first + offset, words, result);
          stack[size - 1] = result;
          break;
        }
      }
    }
    return stack[0];
  }

  /// Memory of the place before `size`; that of place 0 is free for what comes after all.
  std::uint64_t* result_at(std::size_t size) { return memory_.results.data() + size * kBlock; }

  /// No document is behind the segment's last one.
  void clear_behind_end(std::uint32_t first, std::uint32_t words, std::uint64_t* result) const {
    const std::uint64_t documents = segment_.statistics().documents;
    const std::uint64_t last = std::uint64_t{first} + words;
    if (last * 64 > documents) result[words - 1] &= (std::uint64_t{1} << documents % 64) - 1;
  }

  /// The matches of words `first` .. first + words - 1 that pass a filter without a bitmap.
  const std::uint64_t* passing(const std::uint64_t* matches, std::uint32_t first,
                               std::uint32_t words, std::uint64_t* result) const {
    for (std::uint32_t i = 0; i < words; ++i) {
      result[i] = matches[i] == 0 ? 0 : bitmaps_.among(matches[i], first + i);
    }
    return result;
  }

  const std::uint64_t* both(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t words,
                            std::uint64_t* result) const {
    const std::array rows{a, b};
    kernels_.all(rows, words, result);
    return result;
  }

  const index::Segment& segment_;
  const Plan& plan_;
  const PlanBitmaps& bitmaps_;
  const WordKernels& kernels_;
  BitmapWorkspace& memory_;
  Collector& collector_;
  Shape shape_;
  bool dense_;                         ///< documents without a posting of memory_.lists can match
  std::vector<Operand> operands_;      ///< in the order of the expression
  std::vector<std::uint32_t> row_of_;  ///< by term of the plan
  std::uint32_t rows_ = 0;
  std::uint64_t postings_ = 0;  ///< of the lists that are read
  std::uint32_t window_ = 0;    ///< words
};

}  // namespace

void search_bitmaps(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const KeptLists& kept,
                    const PlanBitmaps& bitmaps, DocidRange range, const WordKernels& kernels,
                    const std::stop_token& stop, BitmapWorkspace& memory, Collector& collector) {
  BitmapSearch(segment, plan, ids, kept, bitmaps, kernels, memory, collector).run(range, stop);
}

}  // namespace gannet::query
