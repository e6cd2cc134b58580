// Pages of the web as documents.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"
#include "corpora/markup/html/html_text.hpp"

namespace gannet::corpora {

/// What a collection says of a page. Views.
struct Page {
  std::string_view id = {};
  std::string_view url = {};
  std::string_view date = {};      ///< ISO 8601, of the crawl; empty: unknown
  std::string_view language = {};  ///< codes with commas between; empty: unknown
  std::string_view content_type = {};
  std::string_view bytes = {};
};

/// The text of a page.
struct PageText {
  std::string all = {};
  TitlePlace title = {};

  std::string title_text() const { return all.substr(title.begin, title.size); }
  std::string body_text() const;
};

/// Where parts of a page stand that had to be decoded.
struct PageRoom {
  std::string id = {};
  std::string date = {};
  std::string chunks = {};
  std::string content = {};
};

/// Keeps the texts of its documents.
struct PageBatch : index::ParsedBatch {
  std::deque<std::string> texts = {};

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

enum class PageKind { kHtml, kPlainText, kOther };

/// Whether a Content-Type names a type: `unknown/unknown` and the like do not.
bool says_type(std::string_view content_type);

/// Whether the first character that is no blank is '<', a byte order mark passed over.
bool begins_with_markup(std::string_view bytes);

/// What a page is: by its type, or where that says nothing by how it begins, as
/// https://mimesniff.spec.whatwg.org has it (any tag makes it HTML, also behind a byte order mark).
PageKind kind_of_page(std::string_view content_type, std::string_view bytes);

/// Makes documents of pages. Thread-safe.
class PageDocuments {
 public:
  /// Throws UsageError for fields that pages do not have.
  explicit PageDocuments(const ReaderOptions& options);

  /// Adds a page of text. Throws InputError with the reason if a value is none of its field;
  /// CancelledError.
  void add(const Page& page, PageBatch& batch) const;
  /// The same for a page whose text is known.
  void add(const Page& page, PageText text, PageBatch& batch) const;

 private:
  enum class Part { kContents, kTitle, kBody, kUrl, kHost, kDate, kType, kLanguage };
  static const std::vector<std::pair<std::string_view, Part>>& parts();
  static Part part_called(std::string_view name);
  static std::string part_names();
  static std::string of(Part part, const Page& page, const PageText& text);
  void values_of(const Page& page, const PageText& text, PageBatch& batch,
                 std::vector<index::FieldText>& values) const;

  ReaderOptions options_;
  std::vector<Part> fields_;  ///< of the options' fields
  std::vector<Part> values_;  ///< of the schema's
};

}  // namespace gannet::corpora
