// Where the documents of TREC files end.
#pragma once

#include "corpora/documents/batch_reader.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {

/// Cuts behind the last </DOC>; says of a file's last piece whether the file has any <DOC>.
class DocSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    const std::size_t size = at_end ? text.size() : behind_last_end(text);
    opened_ = opened_ || find_tag(text.substr(0, size), 0, "doc", false).found();
    piece.without_records = at_end && !opened_;
    return size;
  }

 private:
  /// 0 if there is none.
  static std::size_t behind_last_end(std::string_view text) {
    for (std::size_t at = text.rfind('<'); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind('<', at - 1)) {
      // A tag ends before the next '<', so no byte is looked at twice.
      const Tag tag = tag_at(text, at);
      if (tag.found() && tag.closing && same_name(tag.name, "doc")) return tag.end;
    }
    return 0;
  }

  bool opened_ = false;
};

}  // namespace gannet::corpora
