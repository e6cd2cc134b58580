// Pages of the web as documents.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/documents/documents.hpp"

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

/// Whether a page is text, by its type or, where it has none, by how it begins.
bool is_text_page(std::string_view content_type, std::string_view bytes);

/// Makes documents of pages. Thread-safe.
class PageDocuments {
 public:
  /// Throws UsageError for fields that pages do not have.
  explicit PageDocuments(const ReaderOptions& options);

  /// Adds a page of text. Throws InputError with the reason if a value is none of its field;
  /// CancelledError.
  void add(const Page& page, PageBatch& batch) const;

 private:
  enum class Part { kContents, kTitle, kBody, kUrl, kHost, kDate, kType, kLanguage };
  struct Text;
  static const std::vector<std::pair<std::string_view, Part>>& parts();
  static Part part_called(std::string_view name);
  static std::string part_names();
  static std::string of(Part part, const Page& page, const Text& text);
  void values_of(const Page& page, const Text& text, PageBatch& batch,
                 std::vector<index::FieldText>& values) const;

  ReaderOptions options_;
  std::vector<Part> fields_;  ///< of the options' fields
  std::vector<Part> values_;  ///< of the schema's
};

}  // namespace gannet::corpora
