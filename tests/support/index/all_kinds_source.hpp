// Documents whose fields have all kinds of column.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/fields/schema.hpp"
#include "tests/support/index/document_source.hpp"

namespace gannet::test {

/// Documents [begin, end) of a list, with fields that follow from their numbers: a number that some
/// lack, keywords, stored texts, a text field, bitmaps.
class AllKindsSource final : public index::DocumentSource {
 public:
  AllKindsSource(const std::vector<TextDocument>& documents, std::size_t begin, std::size_t end)
      : documents_(documents), begin_(begin), end_(end) {}

  std::unique_ptr<index::RawBatch> read() override {
    return std::exchange(read_, true) ? nullptr : std::make_unique<index::RawBatch>();
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch>) const override {
    auto batch = std::make_unique<Batch>();
    for (std::size_t d = begin_; d < end_; ++d) {
      batch->add(documents_[d].id, documents_[d].text);
      if (d % 3 != 0) batch->add_value(0, batch->keep(std::to_string(d * 7)));
      batch->add_value(1, batch->keep("k" + std::to_string(d % 7)));
      batch->add_value(1, batch->keep("m" + std::to_string(d % 5)));
      if (d % 2 == 0) batch->add_value(2, batch->keep("stored " + documents_[d].id));
      batch->add_value(3, batch->keep("title word" + std::to_string(d % 11)));
      batch->add_value(4, batch->keep(std::to_string(d % 4)));
    }
    return batch;
  }
  std::uint64_t bytes_read() const override { return 0; }
  std::uint64_t bytes_total() const override { return end_; }

  static index::Schema schema() {
    return index::Schema({index::parse_field("n:u32"), index::parse_field("k:keyword:multi"),
                          index::parse_field("s:stored"), index::parse_field("title:text"),
                          index::parse_field("w:u8:wah")});
  }

 private:
  struct Batch : index::ParsedBatch {
    std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
    std::deque<std::string> texts;
  };
  const std::vector<TextDocument>& documents_;
  std::size_t begin_, end_;
  bool read_ = false;
};

}  // namespace gannet::test
