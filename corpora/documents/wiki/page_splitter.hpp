// Where the pages of a wiki's dump end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "corpora/documents/sources/batch_reader.hpp"

namespace gannet::corpora {

inline constexpr std::string_view kPageBegin = "<page>";
/// Of what stands before the first page, no more is looked at.
inline constexpr std::size_t kMaxSite = std::size_t{1} << 20;
inline constexpr std::string_view kPageEnd = "</page>";

/// Cuts behind the last page, and never before the first one begins. In XML a '<' always begins
/// markup, so that pages can be found without parsing them: that any thread can do, and a page that
/// is malformed spoils no other. What stands before a file's first page goes with each piece.
class PageSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    const std::size_t first = head_ == nullptr ? text.find(kPageBegin) : 0;
    const std::size_t last = text.rfind(kPageEnd);
    const bool has_page = last != kNowhere && first <= last;
    if (!has_page && !at_end) return 0;
    if (head_ == nullptr) {
      opened_ = first != kNowhere;
      // Each piece's parser reads it again, so it may not be large.
      head_ = std::make_shared<const std::string>(text.substr(0, std::min(first, kMaxSite)));
    }
    piece.head = head_;
    piece.without_records = at_end && !opened_;
    return at_end ? text.size() : last + kPageEnd.size();
  }

 private:
  static constexpr std::size_t kNowhere = std::string_view::npos;

  std::shared_ptr<const std::string> head_;
  bool opened_ = false;
};

}  // namespace gannet::corpora
