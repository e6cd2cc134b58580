#include "query/snippets/parts/best_window.hpp"

#include <compare>
#include <deque>

namespace gannet::query {
namespace {

/// The window that ends with the last match, while matches come and go.
class SlidingWindow {
 public:
  SlidingWindow(const MarkedTerms& terms, std::uint64_t length, const std::vector<bool>& shown)
      : terms_(terms), length_(length), shown_(shown), occurrences_(terms.size()) {}

  void add(const TermMatch& match) {
    const std::uint64_t worth = terms_.worth(match.item);
    if (occurrences_[match.item]++ == 0) {
      value_.all += worth;
      if (!shown_[match.item]) value_.fresh += worth;
    } else {
      value_.again += worth;
    }
    inside_.push_back(match);
    while (match.last_char - inside_.front().first_char > length_ && inside_.size() > 1) remove();
  }

  void clear() {
    while (!inside_.empty()) remove();
  }

  /// Keeps the window that is there if it is better than all before.
  void compare() {
    if (!(value_ > best_value_)) return;
    best_value_ = value_;
    best_ = {inside_.front().begin, inside_.back().end};
  }

  ByteRange best() const { return best_; }

 private:
  struct Value {
    std::uint64_t fresh = 0;  ///< of terms that are not shown
    std::uint64_t all = 0;    ///< of all terms
    std::uint64_t again = 0;  ///< of their further occurrences
    auto operator<=>(const Value&) const = default;
  };

  void remove() {
    const TermMatch& match = inside_.front();
    const std::uint64_t worth = terms_.worth(match.item);
    if (--occurrences_[match.item] == 0) {
      value_.all -= worth;
      if (!shown_[match.item]) value_.fresh -= worth;
    } else {
      value_.again -= worth;
    }
    inside_.pop_front();
  }

  const MarkedTerms& terms_;
  std::uint64_t length_;
  const std::vector<bool>& shown_;
  std::vector<std::uint32_t> occurrences_;
  std::deque<TermMatch> inside_;
  Value value_;
  Value best_value_;
  ByteRange best_;
};

}  // namespace

ByteRange best_window(const TermMatches& matches, const MarkedTerms& terms, std::uint64_t length,
                      const std::vector<bool>& shown, std::span<const ByteRange> taken) {
  SlidingWindow window(terms, length, shown);
  std::size_t behind = 0;  // ranges of `taken` that the matches have passed
  matches.each([&](const TermMatch& match) {
    while (behind < taken.size() && taken[behind].end <= match.begin) {
      window.clear();
      ++behind;
    }
    if (behind < taken.size() && match.end > taken[behind].begin) return;
    window.add(match);
    window.compare();
  });
  return window.best();
}

}  // namespace gannet::query
