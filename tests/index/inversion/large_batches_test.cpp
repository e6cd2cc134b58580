// Large records, which compressed input may unfold to: never several in memory together.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "index/builder.hpp"
#include "index/index.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

/// Batches of one document, every third of which says that it is large.
class LargeSource final : public DocumentSource {
 public:
  std::unique_ptr<RawBatch> read() override {
    if (next_ == kBatches) return nullptr;
    const bool is_large = next_ % 3 == 0;
    if (is_large) most_beside_ = std::max<int>(most_beside_, large_);
    return std::make_unique<Batch>(*this, next_++, is_large);
  }
  std::unique_ptr<ParsedBatch> parse(std::unique_ptr<RawBatch> raw) const override {
    auto parsed = std::make_unique<Parsed>();
    const auto& batch = static_cast<const Batch&>(*raw);
    parsed->id = "d" + std::to_string(batch.number);
    parsed->add(parsed->id, "word");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // others would be read meanwhile
    parsed->raw = std::move(raw);
    return parsed;
  }
  std::uint64_t bytes_read() const override { return next_; }
  std::uint64_t bytes_total() const override { return kBatches; }

  int most_beside() const { return most_beside_; }
  static constexpr std::size_t kBatches = 60;

 private:
  struct Batch : RawBatch {
    Batch(LargeSource& batches, std::size_t place, bool large)
        : source(batches), number(place), is_large(large) {
      source.large_ += is_large ? 1 : 0;
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() override { source.large_ -= is_large ? 1 : 0; }
    std::size_t memory() const override { return is_large ? kLargeBatch + 1 : kLargeBatch; }

    LargeSource& source;
    std::size_t number;
    bool is_large;
  };
  struct Parsed : ParsedBatch {
    std::string id;
    std::unique_ptr<RawBatch> raw;
  };

  std::size_t next_ = 0;
  std::atomic<int> large_ = 0;  ///< alive
  int most_beside_ = 0;         ///< alive when one more was read
};

TEST(LargeBatches, AreWorkedOnOneAtATime) {
  const test::TemporaryDirectory directory;
  LargeSource source;
  BuildOptions options;
  options.threads = 4;
  build_index(source, directory.path() / "index", options);
  EXPECT_EQ(source.most_beside(), 0);
  const Index index = Index::open(directory.path() / "index");
  ASSERT_EQ(index.statistics().documents, LargeSource::kBatches);
  for (Docid d = 0; d < LargeSource::kBatches; ++d) {
    EXPECT_EQ(index.document_id(d), "d" + std::to_string(d)) << "documents keep their order";
  }
}

TEST(LargeBatches, TheLimitOfARecordFollowsTheMemory) {
  EXPECT_EQ(record_limit(std::uint64_t{64} << 20), std::size_t{4} << 20);
  EXPECT_EQ(record_limit(std::uint64_t{2} << 30), std::size_t{64} << 20);
}

}  // namespace
}  // namespace gannet::index
