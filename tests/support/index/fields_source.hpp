// Documents in memory with fields of all kinds, and the bytes of what is built of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "index/builder.hpp"
#include "index/updates/add.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/document_source.hpp"

namespace gannet::test {

/// Documents called doc-NUMBER with values of all kinds of fields, which depend on the number.
class FieldsSource final : public index::DocumentSource {
 public:
  FieldsSource(const std::vector<TextDocument>& documents, std::size_t begin, std::size_t end)
      : documents_(documents), next_(begin), end_(end) {}

  std::unique_ptr<index::RawBatch> read() override {
    if (next_ == end_) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + 11, end_);
    return raw;
  }
  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    auto parsed = std::make_unique<Batch>();
    for (std::size_t i = range.first; i < range.end; ++i) add(i, *parsed);
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return end_; }

  static index::Schema schema() {
    return index::Schema({index::parse_field("n:i32"), index::parse_field("f:f64"),
                          index::parse_field("tag:keyword"),
                          index::parse_field("tags:keyword:multi"),
                          index::parse_field("bits:keyword:wah"), index::parse_field("body:stored"),
                          index::parse_field("title:text:stemmer=none")});
  }

 private:
  struct Range : index::RawBatch {
    std::size_t first, end;
  };
  struct Batch : index::ParsedBatch {
    std::deque<std::string> values;
  };

  void add(std::size_t at, Batch& batch) const {
    batch.add(documents_[at].id, documents_[at].text);
    const std::size_t i = std::stoul(documents_[at].id.substr(documents_[at].id.find('-') + 1));
    const auto value = [&](std::uint32_t field, std::string text) {
      batch.add_value(field, batch.values.emplace_back(std::move(text)));
    };
    if (i % 3 != 0) value(0, std::to_string(static_cast<int>(i * 37 % 1000) - 500));
    if (i % 4 != 0) value(1, std::to_string(static_cast<double>(i) / 7));
    if (i % 5 != 0) value(2, "t" + std::to_string(i * 13 % 40));
    for (std::size_t n = i % 4; n > 0; --n) value(3, "m" + std::to_string((i * n) % 25));
    value(4, i % 2 == 0 ? "even" : "odd");
    if (i % 6 != 0) value(5, i % 7 == 0 ? std::string() : documents_[at].text + " stored");
    if (i % 9 != 0) value(6, "Title word" + std::to_string(i % 50) + " words");
  }

  const std::vector<TextDocument>& documents_;
  std::size_t next_, end_;
};

/// The bytes of a segment's files, by kind.
inline std::map<std::string, std::string> segment_files(const std::filesystem::path& path) {
  std::map<std::string, std::string> files;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("segment-")) {
      files[entry.path().extension().string()] = read_file(entry.path());
    }
  }
  return files;
}

/// Builds an index of documents; those up to each of `ends` are a segment. `options` are the first
/// one's.
inline void build_segments(const std::filesystem::path& path,
                           const std::vector<TextDocument>& documents,
                           const std::vector<std::size_t>& ends, index::BuildOptions options) {
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    FieldsSource source(documents, begin, end);
    if (begin != 0) {
      const unsigned threads = options.threads;
      options = index::options_to_add_to(path);
      options.threads = threads;
    }
    index::build_index(source, path, options);
    begin = end;
  }
}

}  // namespace gannet::test
