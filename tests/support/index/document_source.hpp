// Documents in memory, as the builder reads them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/builder.hpp"

namespace gannet::test {

struct TextDocument {
  std::string id, text;
};

/// Documents from a vector, `batch` at a time. The hooks are called with the number of the batch.
class VectorSource final : public index::DocumentSource {
 public:
  VectorSource(std::vector<TextDocument> documents, std::size_t batch)
      : documents_(std::move(documents)), batch_(batch) {}

  std::function<void(std::size_t)> on_read = [](std::size_t) {};
  std::function<void(std::size_t)> on_parse = [](std::size_t) {};
  std::uint64_t skipped_per_batch = 0;

  std::unique_ptr<index::RawBatch> read() override {
    on_read(next_ / batch_);
    if (next_ >= documents_.size()) return nullptr;
    auto raw = std::make_unique<Range>();
    raw->first = next_;
    next_ = raw->end = std::min(next_ + batch_, documents_.size());
    return raw;
  }

  std::unique_ptr<index::ParsedBatch> parse(std::unique_ptr<index::RawBatch> raw) const override {
    const auto& range = static_cast<const Range&>(*raw);
    on_parse(range.first / batch_);
    auto parsed = std::make_unique<index::ParsedBatch>();
    for (std::size_t i = range.first; i < range.end; ++i) {
      parsed->add(documents_[i].id, documents_[i].text);
    }
    parsed->skipped = skipped_per_batch;
    return parsed;
  }

  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return documents_.size(); }

 private:
  struct Range : index::RawBatch {
    std::size_t first, end;
  };

  std::vector<TextDocument> documents_;
  std::size_t batch_;
  std::atomic<std::size_t> next_{0};
};

/// Documents of random length whose words are drawn from a vocabulary, low numbers most often.
inline std::vector<TextDocument> random_documents(std::size_t count, std::size_t vocabulary,
                                                  std::size_t longest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<TextDocument> documents(count);
  for (std::size_t i = 0; i < count; ++i) {
    documents[i].id = "doc-" + std::to_string(i);
    for (std::size_t words = random() % (longest + 1); words > 0; --words) {
      const double x = static_cast<double>(random() % 1000000) / 1e6;
      const auto word = static_cast<std::size_t>(x * x * x * static_cast<double>(vocabulary));
      documents[i].text += (word % 3 == 0 ? " Word" : " word") + std::to_string(word);
    }
  }
  return documents;
}

}  // namespace gannet::test
