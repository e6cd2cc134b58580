// Where the documents of TREC files begin and end.
#pragma once

#include <algorithm>
#include <string>

#include "corpora/documents/sources/batch_reader.hpp"
#include "corpora/documents/trec/sgml_text.hpp"
#include "corpora/markup/markup.hpp"

namespace gannet::corpora {

/// The tag that a <DOC> must stand before to begin a document where no </DOC> stands before it:
/// else it is of a document's text, as in a comment.
enum class DocMark {
  kAnyTag,  ///< a tag of any name but DOC
  kDocno,   ///< <DOCNO>: pages have tags of all names
};

/// Whether </DOC>, and then blanks alone, stand before `at`.
inline bool follows_document(std::string_view text, std::size_t at) {
  const std::size_t end = text.substr(0, at).find_last_not_of(" \t\r\n\f\v");
  if (end == std::string_view::npos || text[end] != '>') return false;
  const std::size_t begin = text.rfind('<', end);
  if (begin == std::string_view::npos) return false;
  const Tag tag = tag_at(text, begin);
  return tag.end == end + 1 && tag.closing && same_name(tag.name, "doc");
}

/// Whether a <DOC> begins a document. What stands behind `text` changes a no alone.
inline bool begins_document(std::string_view text, const Tag& doc, DocMark mark) {
  if (follows_document(text, doc.begin)) return true;
  const std::size_t next = text.find_first_not_of(" \t\r\n\f\v", doc.end);
  if (next == std::string_view::npos || text[next] != '<') return false;
  const Tag tag = tag_at(text, next);
  if (!tag.found() || tag.closing) return false;
  return same_name(tag.name, "docno") || (mark == DocMark::kAnyTag && !same_name(tag.name, "doc"));
}

/// Cuts before the <DOC> of a document, so that a </DOC> in a document's text cuts nothing; says of
/// a file's last piece whether the file has any <DOC>.
template <DocMark kMark>
class DocSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override {
    return take(text, at_end ? text.size() : last_begin(text), at_end, piece);
  }
  std::size_t cut_broken(std::string_view text, Piece& piece) override {
    return take(text, behind_last_end(text), false, piece);
  }

 private:
  std::size_t take(std::string_view text, std::size_t size, bool at_end, Piece& piece) {
    opened_ = opened_ || find_tag(text.substr(0, size), 0, "doc", false).found();
    piece.without_records = at_end && !opened_;
    return size;
  }

  /// The last <DOC> or </DOC> that is wanted.
  template <class Wanted>
  static Tag last_tag(std::string_view text, const Wanted& wanted) {
    for (std::size_t at = text.rfind('<'); at != std::string_view::npos;
         at = at == 0 ? std::string_view::npos : text.rfind('<', at - 1)) {
      // A tag ends before the next '<', so no byte is looked at more than a few times.
      const Tag tag = tag_at(text, at);
      if (tag.found() && same_name(tag.name, "doc") && wanted(tag)) return tag;
    }
    return {};
  }

  static std::size_t last_begin(std::string_view text) {
    const Tag tag = last_tag(
        text, [&](const Tag& doc) { return !doc.closing && begins_document(text, doc, kMark); });
    return tag.found() ? tag.begin : 0;
  }
  static std::size_t behind_last_end(std::string_view text) {
    const Tag tag = last_tag(text, [](const Tag& doc) { return doc.closing; });
    return tag.found() ? tag.end : 0;
  }

  bool opened_ = false;
};

/// A document of a piece, or what should be one.
struct DocumentPlace {
  std::size_t begin = 0;
  std::string_view body = {};
  std::string_view problem = {};  ///< what is wrong with it; empty: nothing
};

/// Whether any text stands outside all tags and comments.
inline bool has_text(std::string_view markup) {
  if (trim(markup).empty()) return false;
  std::string text(markup.size(), '\0');
  text.resize(static_cast<std::size_t>(sgml_text(markup, text.data()) - text.data()));
  return !trim(text).empty();
}

/// Calls on_document(place) for each document of a piece, and for text outside of them, which is
/// part of one whose tags are broken.
template <class F>
void for_each_document(const Piece& piece, std::string_view text, DocMark mark, F&& on_document) {
  if (piece.without_records) {
    const bool blank = piece.first_in_file && trim(text).empty();
    if (!blank) on_document(DocumentPlace{0, {}, "there is no <DOC> in this file"});
    return;
  }
  const auto check_outside = [&](std::size_t begin, std::size_t end) {
    if (!has_text(text.substr(begin, end - begin))) return;
    const std::size_t first = text.find_first_not_of(" \t\r\n\f\v", begin);
    on_document(DocumentPlace{first, {}, "text outside of <DOC> and </DOC>"});
  };
  Tag open = find_tag(text, 0, "doc", false);
  check_outside(0, std::min(open.begin, text.size()));
  while (open.found()) {
    Tag close;
    Tag next = next_tag(text, open.end);
    for (; next.found(); next = next_tag(text, next.end)) {
      if (same_name(next.name, "docno") && !next.closing && close.found() &&
          follows_document(text, next.begin)) {
        break;
      }
      if (!same_name(next.name, "doc")) continue;
      if (next.closing) {
        close = next;
      } else if (begins_document(text, next, mark)) {
        break;
      }
    }
    DocumentPlace place{open.begin, {}, {}};
    if (!same_name(open.name, "doc")) {
      place.problem = "<DOCNO> without <DOC>";
    } else if (!close.found()) {
      place.problem = "<DOC> without </DOC>";
    } else {
      place.body = text.substr(open.end, close.begin - open.end);
    }
    on_document(place);
    if (close.found()) check_outside(close.end, std::min(next.begin, text.size()));
    open = next;
  }
}

}  // namespace gannet::corpora
